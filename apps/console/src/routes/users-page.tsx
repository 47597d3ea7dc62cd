import { UserCredentials } from '../credentials/user-credentials.tsx'
import { UserAccessPanel } from '../explorer/access-panel.tsx'
import { UsersScreen } from '../users/users-screen.tsx'

/** People, with the credentials of each and what they can open. */
export function UsersPage() {
  return <UsersScreen before={accessOf}>{credentialsOf}</UsersScreen>
}

type Person = { _id: string }

function accessOf({ _id }: Person) {
  return <UserAccessPanel user={_id} />
}

function credentialsOf({ _id }: Person) {
  return <UserCredentials user={_id} />
}
