import { demandField } from '../abilities/access.ts'
import { demandOrder } from '../collections/demand-order.ts'
import type { ServerHalf } from '../collections/server-half.ts'

/** Numbers of iButtons are for those who may manage iButton, whatever else they may do with people (design §2). */
export const credentialsHalf: ServerHalf = {
  heldBy: 'user',

  async beforeCreate({ access }, item) {
    if (item['kind'] === 'iButton') demandField(access, { field: 'number', subject: 'iButton' })
    demandOrder(item)
    return {}
  },

  async beforePatch({ access }, { before, changes }) {
    const after = { ...before, ...changes }
    const isOther = after['number'] !== before['number'] || after['kind'] !== before['kind']
    const isButton = before['kind'] === 'iButton' || after['kind'] === 'iButton'
    if (isOther && isButton) demandField(access, { field: 'number', subject: 'iButton' })
    demandOrder(after, changes)
    return {}
  },
}
