import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import { GroupScreen } from '../parts/group-screen.tsx'
import { userTabs } from '../parts/user-tabs.ts'
import { text } from '../text/text.ts'

const tabs = { label: text('users.title'), tabs: userTabs }

/** People that rules name together. */
export function UserGroupsScreen() {
  return <GroupScreen of={userGroups} members={users} words="userGroups" tabs={tabs} />
}
