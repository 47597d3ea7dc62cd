import type { ScreenTab } from '../ui/screen-tabs.tsx'
import { text } from '../text/text.ts'

/** Schedules, and the holidays with other hours. */
export const scheduleTabs: readonly ScreenTab[] = [
  { label: text('schedules.tab'), path: '/rules/schedules' },
  { label: text('holidays.title'), path: '/rules/holidays' },
]
