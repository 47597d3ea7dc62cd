import { UserCredentials } from '../credentials/user-credentials.tsx'
import { UserAccessPanel } from '../explorer/access-panel.tsx'
import { UsersScreen } from '../users/users-screen.tsx'

/** People, with the credentials of each and what they can open. */
export function UsersPage() {
  return (
    <UsersScreen before={({ _id }) => <UserAccessPanel user={_id} />}>
      {({ _id }) => <UserCredentials user={_id} />}
    </UsersScreen>
  )
}
