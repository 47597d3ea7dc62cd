import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import { GroupScreen } from './group-screen.tsx'
import { userTabs } from '../navigation/user-tabs.ts'
import { text } from '../text/text.ts'

const tabs = { label: text('users.all'), tabs: userTabs }

/** People that rules name together. */
export function UserGroupsScreen() {
  return <GroupScreen of={userGroups} members={users} words="userGroups" tabs={tabs} />
}
