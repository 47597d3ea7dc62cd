import type { Collection } from '@portcullis/contract/collection'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import { itemKey, listsKey } from './keys.ts'

/** Deletes an item by its `_id`. */
export function useRemove(of: Collection) {
  const { ref } = useAccount()
  const queryClient = useQueryClient()
  return useMutation({
    /** Receives the audit log entry of the deletion, with which it can be undone. */
    mutationFn: async (id: string) => {
      let entry: string | undefined
      await client.of(of).remove(id, { account: ref, onRecorded: (recorded) => (entry = recorded) })
      return entry
    },
    onSuccess: async (_, id) => {
      queryClient.removeQueries({ queryKey: itemKey({ of, accountRef: ref, id }) })
      await queryClient.invalidateQueries({ queryKey: listsKey(of, ref) })
    },
  })
}
