import { z } from 'zod'
import { roles } from '../abilities.ts'
import { accounts } from '../collections/accounts.ts'

/** What a move makes of somebody's role in the account that is moved; `null` is none. */
const roleChange = z.object({
  _id: z.uuid(),
  name: z.string(),
  before: z.enum(roles).nullable(),
  after: z.enum(roles).nullable(),
})
export type RoleChange = z.output<typeof roleChange>

/** How many there are, and the first of them by name. */
const roleChanges = z.object({ count: z.int(), people: z.array(roleChange) })

/** So many people are named; all are counted. */
export const mostNamed = 50

/**
 * `POST /api/accounts/{id}/move`: puts an account, with all below it, below another one. Both lie below the account of
 * X-JS-ACCOUNT; the new parent may be that account itself. With `dryRun` nothing happens, and the answer says what would.
 * 422 `refused` where it would come to lie below itself, 409 `conflict` where the tree was changed in the meantime.
 */
export const moveAccount = {
  input: z.strictObject({ parent: z.uuid(), dryRun: z.boolean().default(false) }),
  output: z.object({
    /** Whether it stands there now, and stood elsewhere before. */
    moved: z.boolean(),
    account: accounts.entitySchema,
    /** Who comes to see it, who no longer does, and who still does in another role. Hyper users see everything anyway. */
    gains: roleChanges,
    loses: roleChanges,
    changes: roleChanges,
  }),
}
export type MovedAccount = z.output<typeof moveAccount.output>

/**
 * `POST /api/accounts/{id}/suspend`, `POST /api/accounts/{id}/restore`: for an account below that of X-JS-ACCOUNT. In a
 * suspended account, and in all below it, roles that are held there count for nothing, and its controllers get no
 * configuration; roles that are held above it go on. Answers the account.
 */
export const suspendAccount = { output: accounts.entitySchema }
