import { demandField } from '../abilities/access.ts'
import { requireValidPeriod } from '../collections/require-valid-period.ts'
import type { CollectionHooks } from '../collections/collection-hooks.ts'

/** Changing iButton numbers requires the right to manage iButton, in addition to any rights to Users (design §2). */
export const credentialHooks: CollectionHooks = {
  heldBy: 'user',

  async beforeCreate({ access }, item) {
    if (item['kind'] === 'iButton') demandField(access, { field: 'number', subject: 'iButton' })
    requireValidPeriod(item)
    return {}
  },

  async beforePatch({ access }, { before, changes }) {
    const after = { ...before, ...changes }
    const isOther = after['number'] !== before['number'] || after['kind'] !== before['kind']
    const isButton = before['kind'] === 'iButton' || after['kind'] === 'iButton'
    if (isOther && isButton) demandField(access, { field: 'number', subject: 'iButton' })
    requireValidPeriod(after, changes)
    return {}
  },
}
