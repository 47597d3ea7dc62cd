import { type DueChoice, dueChoices, type RecertifyableQuery } from '@portcullis/contract/calls/recertification'
import { choicesOf } from '../list/filters/filters.ts'
import type { ListPlace, ListState } from '../list/list-state.ts'
import { text } from '../text/text.ts'
import { soonDays } from './due-in-words.ts'

/** What may stand in the address about the list of who is due. */
export const duePlace: ListPlace = {
  prefix: '',
  filters: [
    {
      name: 'due',
      label: text('recertification.show'),
      kind: 'choice',
      choices: choicesOf(dueChoices, (choice) => text(`recertification.shown.${choice}`, { days: soonDays })),
    },
  ],
  sortable: ['recertifyBy', 'name'],
  columnKeys: [],
  sort: { prop: 'recertifyBy', dir: 'asc' },
  size: 20,
}

/** Who is shown while the address says nothing: whoever is due, not all who once will be. */
export const initialDue: DueChoice = 'soon'

export function dueOf({ filters }: Pick<ListState, 'filters'>): DueChoice {
  return dueChoices.find((choice) => choice === filters['due']) ?? initialDue
}

/** The question to the server that the address stands for. */
export function dueQueryOf(state: ListState): RecertifyableQuery {
  const { search, page, size, sort } = state
  return {
    due: dueOf(state),
    days: soonDays,
    search,
    page,
    size,
    sort: { prop: sort?.prop === 'name' ? 'name' : 'recertifyBy', dir: sort?.dir ?? 'asc' },
  }
}
