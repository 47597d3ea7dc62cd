import { doors } from '@portcullis/contract/collections/doors'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { users } from '@portcullis/contract/collections/users'
import { allEventTypes, eventCategories } from '@portcullis/contract/event-types'
import { reasonCodes } from '@portcullis/domain/decision/reasons'
import { choicesOf, type ListFilter } from '../list/filters/filters.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'

/** The filters of events; items by name as far as the user may look them up. No time range means today. */
export function useEventFilters(): ListFilter[] {
  const [seesSites, seesUsers] = [useCan('view', sites.subject), useCan('view', 'Users')]
  const seesUnits = useCan('view', units.subject)
  const filters: (ListFilter | false)[] = [
    { ...time, kind: 'instant', direction: 'past', initial: 'today' },
    seesSites && { name: 'site', label: text('events.site'), kind: 'reference', of: sites },
    {
      name: 'outcome',
      label: text('events.outcome'),
      kind: 'choice',
      choices: choicesOf(['granted', 'denied'], (outcome) => text(`state.${outcome}`)),
    },
    seesSites && { name: 'door', label: text('events.door'), kind: 'reference', of: doors, isSeldom: true },
    seesUsers && {
      name: 'user',
      label: text('events.person'),
      kind: 'reference',
      of: users,
      isSeldom: true,
      isNullable: true,
    },
    {
      name: 'kind',
      field: 'category',
      label: text('events.kind'),
      kind: 'choice',
      isSeldom: true,
      choices: choicesOf(eventCategories, (category) => text(`events.kinds.${category}`)),
    },
    {
      name: 'type',
      label: text('events.what'),
      kind: 'choice',
      isSeldom: true,
      choices: choicesOf(allEventTypes, (type) => text(`events.types.${type}`)),
    },
    {
      name: 'reason',
      label: text('events.reason'),
      kind: 'choice',
      isSeldom: true,
      choices: choicesOf(reasonCodes, (reason) => text(`reason.${reason}`)),
    },
    {
      name: 'direction',
      label: text('events.direction'),
      kind: 'choice',
      isSeldom: true,
      isNullable: true,
      choices: choicesOf(['entry', 'exit'], (direction) => text(`rules.directions.${direction}`)),
    },
    seesUnits && { name: 'unit', label: text('events.unit'), kind: 'reference', of: units, isSeldom: true },
    {
      name: 'backfilled',
      label: text('events.late'),
      kind: 'yesNo',
      isSeldom: true,
      yes: text('state.backfilled'),
      no: text('events.atOnce'),
    },
  ]
  return filters.filter((filter) => filter !== false)
}

const time = { name: 'time', field: 'occurredAt', label: text('events.time') } as const
