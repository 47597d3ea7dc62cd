import type { ScreenTab } from '../ui/screen-tabs.tsx'
import { text } from '../text/text.ts'

/** Rules, and their effects. */
export const ruleTabs: readonly ScreenTab[] = [
  { label: text('explorer.rulesTab'), path: '/rules/list', also: ['/rules'] },
  { label: text('matrix.title'), path: '/rules/matrix' },
  { label: text('review.title'), path: '/rules/review' },
  { label: text('explorer.title'), path: '/rules/explorer' },
]
