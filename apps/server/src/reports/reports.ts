import { events } from '@portcullis/contract/collections/events'
import { tableOf } from '../query/columns.ts'
import { filterCondition } from '../query/filter.ts'
import type { CollectionHooks } from '../collections/collection-hooks.ts'

/** Saved filters must be usable: filters that a list of events would refuse are refused here too. */
export const reportHooks: CollectionHooks = {
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
