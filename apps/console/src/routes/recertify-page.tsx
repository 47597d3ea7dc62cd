import { users } from '@portcullis/contract/collections/users'
import { OpenItem } from '../item/open-item.tsx'
import { UserCredentials } from '../credentials/user-credentials.tsx'
import { UserAccessPanel } from '../explorer/access-panel.tsx'
import { RecertifyScreen } from '../recertification/recertify-screen.tsx'
import { UserDrawer } from '../users/user-drawer.tsx'

/** Who has to be recertified, and the person of a row as the list of people shows them: what is certified has to be seen. */
export function RecertifyPage() {
  return (
    <RecertifyScreen>
      <OpenItem of={users}>
        {(drawer) => <UserDrawer {...drawer} onCreated={nothing} before={accessOf} details={credentialsOf} />}
      </OpenItem>
    </RecertifyScreen>
  )
}

type Person = { _id: string }

function accessOf({ _id }: Person) {
  return <UserAccessPanel user={_id} />
}

function credentialsOf({ _id }: Person) {
  return <UserCredentials user={_id} />
}

/** Nobody is added here. */
function nothing() {}
