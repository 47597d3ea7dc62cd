import type { ServerHalf } from '../collections/server-half.ts'
import { refuseWhileHolding } from './what-it-holds.ts'

/** A new account lies below the current one unless the writer names another that they see. */
export const accountsHalf: ServerHalf = {
  async beforeCreate({ access }, item) {
    return { parent: item['parent'] ?? access.account._id }
  },
  async beforeDelete({ tx, access }) {
    // An account belongs to itself, so it is the one in which it is deleted.
    await refuseWhileHolding(tx, access)
  },
}
