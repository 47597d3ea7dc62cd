import { ActionIcon, Tooltip } from '@mantine/core'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react'
import { text } from '../text/text.ts'
import { sidebarId } from './sidebar.tsx'
import { toggleSidebar, useSidebarState } from './sidebar-state.ts'

/** Brings the sidebar down to its icons, and back. */
export function SidebarToggle() {
  const { isCollapsed } = useSidebarState()
  const label = text(isCollapsed ? 'shell.expandNavigation' : 'shell.collapseNavigation')
  return (
    <Tooltip label={label} openDelay={400}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        aria-expanded={!isCollapsed}
        aria-controls={sidebarId}
        onClick={toggleSidebar}
      >
        {isCollapsed ? <IconLayoutSidebarLeftExpand size={18} /> : <IconLayoutSidebarLeftCollapse size={18} />}
      </ActionIcon>
    </Tooltip>
  )
}
