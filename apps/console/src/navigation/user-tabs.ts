import type { ScreenTab } from '../ui/screen-tabs.tsx'
import { text } from '../text/text.ts'

/** Users, and the groups that rules name. */
export const userTabs: readonly ScreenTab[] = [
  { label: text('users.tab'), path: '/users/list', also: ['/users'] },
  { label: text('userGroups.title'), path: '/users/groups' },
  { label: text('credentials.unassigned'), path: '/users/cards' },
  { label: text('cardFormats.title'), path: '/users/cardFormats' },
]
