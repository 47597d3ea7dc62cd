import { NativeSelect, SegmentedControl } from '@mantine/core'
import { dueChoices, type DueChoice } from '@portcullis/contract/calls/recertification'
import type { ListChanges, ListState } from '../list/list-state.ts'
import { ListToolbar } from '../list/list-toolbar.tsx'
import { useIsNarrow } from '../ui/use-is-narrow.ts'
import { text } from '../text/text.ts'
import { soonDays } from './due-in-words.ts'
import { dueOf, initialDue } from './due-query.ts'

type Props = {
  state: ListState
  counts: Readonly<Record<DueChoice, number | undefined>>
  total: number | undefined
  onChange: (changes: ListChanges) => void
}

/** A search, and who is shown, with how many there are of each. */
export function DueToolbar({ state, counts, total, onChange }: Props) {
  const isNarrow = useIsNarrow()
  const choices = dueChoices.map((value) => ({ value, label: labelOf(value, counts[value]) }))
  const label = text('recertification.show')

  function choose(value: string) {
    onChange({ filters: value === initialDue ? {} : { due: value } })
  }

  return (
    <ListToolbar
      label={text('recertification.title')}
      // Who is shown stands beside it, and is no filter to be counted.
      state={{ ...state, filters: {} }}
      filters={[]}
      hasSearch
      orders={[
        { prop: 'recertifyBy', label: text('recertification.due') },
        { prop: 'name', label: text('recertification.person') },
      ]}
      total={total}
      onChange={onChange}
    >
      {isNarrow ? (
        <NativeSelect
          aria-label={label}
          value={dueOf(state)}
          data={choices}
          onChange={(event) => choose(event.currentTarget.value)}
        />
      ) : (
        <SegmentedControl aria-label={label} value={dueOf(state)} data={choices} onChange={choose} />
      )}
    </ListToolbar>
  )
}

function labelOf(choice: DueChoice, count: number | undefined) {
  const name = text(`recertification.shown.${choice}`, { days: soonDays })
  return count === undefined ? name : text('recertification.shownCount', { name, count })
}
