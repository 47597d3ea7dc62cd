import { type AccessRow, maxAccessRows } from '@portcullis/contract/calls/access-views'
import { rules } from '@portcullis/contract/collections/rules'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { batchById } from '../item/batch-by-id.ts'
import { collectionKey } from '../item/keys.ts'
import { useLive } from '../item/use-live.ts'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'

export type RowKind = 'user' | 'door'

/** Hours begin and end, without a message. */
const againMs = 60_000

/** The rules of a user or at a door, and the number of doors or users that they open now; those of a page are one request. */
export function useAccessRow(kind: RowKind, id: string) {
  const { ref } = useAccount()
  return useQuery({
    queryKey: [...rowsKey(ref), kind, id],
    queryFn: async () => (await read[kind](id)) ?? null,
    refetchInterval: againMs,
    retry: false,
  })
}

/** Reads the rows again after each change of a rule. */
export function useFollowedRows() {
  const { ref } = useAccount()
  const queryClient = useQueryClient()
  const readAgain = () => void queryClient.invalidateQueries({ queryKey: rowsKey(ref) })
  useLive(rules, { onSaved: readAgain, onRemove: readAgain })
}

function rowsKey(accountRef: string) {
  return [...collectionKey(rules, accountRef), 'rows']
}

const read = {
  user: batchById<AccessRow>(async (ids) => byId(await client.rules.ofUsers(ids)), { maxIds: maxAccessRows }),
  door: batchById<AccessRow>(async (ids) => byId(await client.rules.ofDoors(ids)), { maxIds: maxAccessRows }),
}

function byId({ items }: { items: readonly AccessRow[] }) {
  return new Map(items.map((row) => [row._id, row]))
}
