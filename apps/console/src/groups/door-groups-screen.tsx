import { doorGroups } from '@portcullis/contract/collections/door-groups'
import { doors } from '@portcullis/contract/collections/doors'
import { GroupScreen } from './group-screen.tsx'
import { siteTabs } from '../navigation/site-tabs.ts'
import { text } from '../text/text.ts'

const tabs = { label: text('sites.title'), tabs: siteTabs }

/** Doors that rules name together. */
export function DoorGroupsScreen() {
  return <GroupScreen of={doorGroups} members={doors} words="doorGroups" tabs={tabs} />
}
