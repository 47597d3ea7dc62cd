import { users } from '@portcullis/contract/collections/users'
import { UserCredentials } from '../credentials/user-credentials.tsx'
import { UserAccessPanel } from '../explorer/access-panel.tsx'
import { OpenItem } from '../item/open-item.tsx'
import { RecertifyScreen } from '../recertification/recertify-screen.tsx'
import { UserDrawer } from '../users/user-drawer.tsx'
import { UsersScreen } from '../users/users-screen.tsx'

/** Users, each with their credentials and the doors that they can open. */
export function UsersPage() {
  return <UsersScreen before={accessOf}>{credentialsOf}</UsersScreen>
}

/** Users to recertify. A row opens the same drawer as the list of users, to show the access under review. */
export function RecertifyPage() {
  return (
    <RecertifyScreen>
      <OpenItem of={users}>
        {(drawer) => <UserDrawer {...drawer} onCreated={nothing} before={accessOf} details={credentialsOf} />}
      </OpenItem>
    </RecertifyScreen>
  )
}

type User = { _id: string }

function accessOf({ _id }: User) {
  return <UserAccessPanel user={_id} />
}

function credentialsOf({ _id }: User) {
  return <UserCredentials user={_id} />
}

/** Users are not created here. */
function nothing() {}
