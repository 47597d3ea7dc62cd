import type { ScreenTab } from '../ui/screen-tabs.tsx'
import { text } from '../text/text.ts'

/** Accounts as a tree, and as a list. */
export const accountTabs: readonly ScreenTab[] = [
  { label: text('accounts.tree'), path: '/account' },
  { label: text('accounts.list'), path: '/account/list' },
]
