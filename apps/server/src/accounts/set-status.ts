import { type AccountStatus, accounts } from '@portcullis/contract/collections/accounts'
import type { Access } from '../abilities/access.ts'
import { workAs } from '../abilities/access-proof.ts'
import { patchItem } from '../collections/patch.ts'
import { findAccountBelow, type Parts } from './find-account-below.ts'

type Asked = { access: Access; id: string; status: AccountStatus }

/**
 * Suspends an account below the one that somebody is in, or restores it. What hangs on it ends with the commit: rights are
 * proven within each answer, sockets follow them, and configurations are looked up for each sending.
 */
export async function setStatus(parts: Parts, { access, id, status }: Asked) {
  const { inside, item } = await findAccountBelow(parts, { access, id })
  if (item['status'] === status) return { item, entry: undefined }
  return workAs(parts.database, access, (tx) =>
    patchItem(tx, {
      collection: accounts,
      half: {},
      access: { ...inside, assumed: access.assumed },
      id,
      changes: { status },
      expected: undefined,
    }),
  )
}
