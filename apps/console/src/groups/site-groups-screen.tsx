import { siteGroups } from '@portcullis/contract/collections/site-groups'
import { sites } from '@portcullis/contract/collections/sites'
import { GroupScreen } from './group-screen.tsx'
import { siteTabs } from '../navigation/site-tabs.ts'
import { text } from '../text/text.ts'

const tabs = { label: text('sites.title'), tabs: siteTabs }

/** Sites that rules name together. */
export function SiteGroupsScreen() {
  return <GroupScreen of={siteGroups} members={sites} words="siteGroups" tabs={tabs} />
}
