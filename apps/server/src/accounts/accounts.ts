import type { ServerHalf } from '../collections/server-half.ts'

/** A new account lies below the current one unless the writer names another that they see. */
export const accountsHalf: ServerHalf = {
  async beforeCreate({ access }, item) {
    return { parent: item['parent'] ?? access.account._id }
  },
}
