import { events } from '@portcullis/contract/collections/events'
import { tableOf } from '../query/columns.ts'
import { filterCondition } from '../query/filter.ts'
import type { ServerHalf } from '../collections/server-half.ts'

/** What is saved can be asked for later: a filter that a list of events would refuse is refused here already. */
export const reportsHalf: ServerHalf = {
  async beforeCreate(_writing, item) {
    checkFilter(item['filter'])
    return {}
  },

  async beforePatch(_writing, { changes }) {
    if (changes['filter'] !== undefined) checkFilter(changes['filter'])
    return {}
  },
}

function checkFilter(filter: unknown) {
  filterCondition(filter, { table: tableOf(events), queryable: events.queryable })
}
