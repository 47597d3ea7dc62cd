import { type AccountStatus, accounts } from '@portcullis/contract/collections/accounts'
import type { Access } from '../abilities/access.ts'
import { workAs } from '../abilities/access-proof.ts'
import { patchItem } from '../collections/patch.ts'
import { findAccountBelow, type AccountServices } from './find-account-below.ts'

type SetStatusInput = { access: Access; id: string; status: AccountStatus }

/**
 * Suspends or restores an account below the current one. This takes effect with the commit: every request proves its
 * rights, sockets follow them, and controller configurations are looked up each time they are sent.
 */
export async function setStatus(parts: AccountServices, { access, id, status }: SetStatusInput) {
  const { inside, item } = await findAccountBelow(parts, { access, id })
  if (item['status'] === status) return { item, entry: undefined }
  return workAs(parts.database, access, (tx) =>
    patchItem(tx, {
      collection: accounts,
      hooks: {},
      access: { ...inside, assumed: access.assumed },
      id,
      changes: { status },
      expected: undefined,
    }),
  )
}
