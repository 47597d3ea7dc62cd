import { CloseButton, NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useIsNarrow } from '../ui/use-is-narrow.ts'
import { text } from '../text/text.ts'
import styles from './access-toolbar.module.css'

/** The search and filter of such a list. */
export const shownStates = ['sometime', 'now', 'later', 'never'] as const
export type ShownState = (typeof shownStates)[number]

export type AccessView = { search: string; can: ShownState; page: number; size: number }

/** The room of a list: a page, or a drawer. */
export type Room = 'page' | 'drawer'

type Props = {
  view: AccessView
  onChange: (changes: Partial<AccessView>) => void
  counts: { now: number; later: number; never: number } | undefined
  of: 'people' | 'doors'
  room: Room
  children?: ReactNode
}

const afterTypingMs = 250

/** Search by name, and the filter of states. */
export function AccessToolbar({ view, onChange, counts, of, room, children }: Props) {
  const [typed, setTyped] = useState(view.search)
  const report = useDebouncedCallback((search: string) => onChange({ search, page: 0 }), afterTypingMs)
  const isNarrow = useIsNarrow()
  const states = shownStates.map((state) => ({ value: state, label: labelOf(state, { counts, of }) }))
  const label = text(of === 'people' ? 'explorer.searchPeople' : 'explorer.searchDoors')

  function show(can: string) {
    onChange({ can: stateNamed(can), page: 0 })
  }

  function type(search: string) {
    setTyped(search)
    report(search)
  }

  return (
    <div className={styles.toolbar}>
      <TextInput
        type="search"
        className={styles.search}
        aria-label={label}
        placeholder={text('list.search')}
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        rightSection={typed && <CloseButton size="sm" aria-label={text('action.clear')} onClick={() => type('')} />}
        value={typed}
        onChange={(event) => type(event.currentTarget.value)}
      />
      {isNarrow || room === 'drawer' ? (
        <NativeSelect
          aria-label={text('explorer.filter')}
          value={view.can}
          data={states}
          onChange={(event) => show(event.currentTarget.value)}
        />
      ) : (
        <SegmentedControl aria-label={text('explorer.filter')} value={view.can} data={states} onChange={show} />
      )}
      {children}
    </div>
  )
}

export function stateNamed(name: string | undefined): ShownState {
  return shownStates.find((state) => state === name) ?? 'sometime'
}

function labelOf(state: ShownState, { counts, of }: Pick<Props, 'counts' | 'of'>) {
  const name = text(of === 'people' ? `explorer.filters.${state}` : `explorer.filtersOfDoors.${state}`)
  if (!counts) return name
  const count = state === 'sometime' ? counts.now + counts.later : counts[state]
  return text('explorer.filterCount', { name, count })
}
