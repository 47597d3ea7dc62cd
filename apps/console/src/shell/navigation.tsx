import { Tooltip } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { IconChevronDown } from '@tabler/icons-react'
import { useId } from 'react'
import { useSession } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { currentEntry, type Entry, type Section } from '../navigation/navigation-entries.ts'
import styles from './navigation.module.css'
import { toggleGroup, useSidebarState } from './sidebar-state.ts'
import { useSections } from '../navigation/use-sections.ts'

type Props = {
  /** `icons` shows no texts: each entry shows its name beside it on hover and focus. */
  form: 'whole' | 'icons'
  onNavigate?: () => void
}

/** The sidebar's entries that the user has permission for. */
export function Navigation({ form, onNavigate }: Props) {
  const { account } = useSession()
  const { pathname } = useLocation()
  const sections = useSections()
  const current = currentEntry(sections, pathname.slice(account.ref.length + 1))

  return (
    <nav aria-label={text('shell.navigation')} className={styles.navigation} data-form={form}>
      {sections.length === 0 && form === 'whole' && <p className={styles.none}>{text('gate.heading')}</p>}
      {sections.map((section, index) => (
        <Group key={section.heading ?? index} section={section} current={current} form={form} onNavigate={onNavigate} />
      ))}
    </nav>
  )
}

type GroupProps = Pick<Props, 'form'> & {
  section: Section
  current: Entry | undefined
  onNavigate: (() => void) | undefined
}

/** A group of entries. One with a heading can be closed; the current entry stays visible. */
function Group({ section: { heading, entries }, current, form, onNavigate }: GroupProps) {
  const { closedGroups } = useSidebarState()
  const { account } = useSession()
  const id = useId()
  const isOpen = heading === undefined || form === 'icons' || !closedGroups.includes(heading)
  const inside = (path: string): string => `/${account.ref}${path}`
  const shown = isOpen ? entries : entries.filter((entry) => entry === current)

  return (
    <div role="group" aria-label={heading && text(heading)} data-headed={heading && ''}>
      {heading && form === 'whole' && (
        <button
          type="button"
          className={styles.heading}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => toggleGroup(heading)}
        >
          <span>{text(heading)}</span>
          <IconChevronDown size={14} aria-hidden="true" />
        </button>
      )}
      <div id={id}>
        {shown.map((entry) => (
          <Tooltip
            key={entry.path}
            label={
              heading ? text('palette.within', { place: text(heading), name: text(entry.label) }) : text(entry.label)
            }
            position="right"
            disabled={form === 'whole'}
            events={{ hover: true, focus: true, touch: false }}
          >
            <Link
              to={inside(entry.path)}
              search={entry.search ?? {}}
              className={styles.entry}
              activeOptions={{ exact: true }}
              aria-current={entry === current ? 'page' : undefined}
              onClick={onNavigate}
            >
              <entry.icon size={form === 'icons' ? 19 : 17} stroke={1.7} aria-hidden="true" />
              <span>{text(entry.label)}</span>
            </Link>
          </Tooltip>
        ))}
      </div>
    </div>
  )
}
