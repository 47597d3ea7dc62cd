import type { ScreenTab } from '../ui/screen-tabs.tsx'
import { text } from '../text/text.ts'

/** The plans of lockdowns, and the lockdowns that were started from them. */
export const lockdownTabs: readonly ScreenTab[] = [
  { label: text('lockdownPlans.title'), path: '/rules/lockdownPlans' },
  { label: text('lockdowns.title'), path: '/rules/lockdowns' },
]
