import type { ScreenTab } from '../ui/screen-tabs.tsx'
import { text } from '../text/text.ts'

/** Sites, the groups of sites and doors that rules name, and interlocks. */
export const siteTabs: readonly ScreenTab[] = [
  { label: text('sites.title'), path: '/sites', also: ['/sites/list'] },
  { label: text('siteMap.tab'), path: '/sites/map' },
  { label: text('doorGroups.title'), path: '/sites/doorGroups' },
  { label: text('siteGroups.title'), path: '/sites/groups' },
  { label: text('interlockingGroups.title'), path: '/sites/interlocks' },
]
