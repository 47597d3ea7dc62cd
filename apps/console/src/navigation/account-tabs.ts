import type { ScreenTab } from '../ui/screen-tabs.tsx'
import { text } from '../text/text.ts'

/** Accounts as they stand below each other, and as a list. */
export const accountTabs: readonly ScreenTab[] = [
  { label: text('accounts.tree'), path: '/account' },
  { label: text('accounts.list'), path: '/account/list' },
]
