import type { ScreenTab } from '../ui/screen-tabs.tsx'
import { text } from '../text/text.ts'

/** Events at doors, and changes by users. */
export const eventTabs: readonly ScreenTab[] = [
  { label: text('audit.eventsTab'), path: '/events/list', also: ['/events'], needs: 'Access Events' },
  { label: text('audit.tab'), path: '/auditLogs/list', also: ['/auditLogs'], needs: 'Audit Logs' },
]
