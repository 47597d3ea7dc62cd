import { users } from '@portcullis/contract/collections/users'
import { UserCredentials } from '../credentials/user-credentials.tsx'
import { UserAccessPanel } from '../explorer/access-panel.tsx'
import { UserAccounts } from '../memberships/user-accounts.tsx'
import { OpenItem } from '../item/open-item.tsx'
import { RecertifyScreen } from '../recertification/recertify-screen.tsx'
import { UserDrawer } from '../users/user-drawer.tsx'
import { UsersScreen } from '../users/users-screen.tsx'

/** Users, each with their credentials and the doors that they can open. */
export function UsersPage() {
  return <UsersScreen before={accessOf}>{detailsOf}</UsersScreen>
}

/** Users to recertify. A row opens the same drawer as the list of users, to show the access under review. */
export function RecertifyPage() {
  return (
    <RecertifyScreen>
      <OpenItem of={users}>
        {(drawer) => <UserDrawer {...drawer} onCreated={nothing} before={accessOf} details={detailsOf} />}
      </OpenItem>
    </RecertifyScreen>
  )
}

type User = { _id: string; name: string }

function accessOf({ _id }: User) {
  return <UserAccessPanel user={_id} />
}

function detailsOf(user: User) {
  return (
    <>
      <UserCredentials user={user._id} />
      <UserAccounts user={user} />
    </>
  )
}

/** Users are not created here. */
function nothing() {}
