import { UserCredentials } from '../credentials/user-credentials.tsx'
import { UsersScreen } from '../users/users-screen.tsx'

/** People, with the credentials of each. */
export function UsersPage() {
  return <UsersScreen>{({ _id }) => <UserCredentials user={_id} />}</UsersScreen>
}
