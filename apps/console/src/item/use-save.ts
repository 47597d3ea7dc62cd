import type { Collection, EntityOf, PatchOf } from '@portcullis/contract/collection'
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import { idOf } from './item-parts.ts'
import { itemKey, listsKey, nameKey } from './keys.ts'

type Recorded = { onRecorded?: (entry: string) => void }
type Fields = { id: string | undefined; fields: Record<string, unknown> } & Recorded

/** Saves the checked values of a form: creates without an id, changes with one. */
export function useSave<C extends Collection>(of: C): UseMutationResult<EntityOf<C>, Error, Fields> {
  const { ref: account } = useAccount()
  const settle = useSettle(of)
  return useMutation({
    mutationFn: ({ id, fields, ...recorded }: Fields) => {
      const options = { account, ...recorded }
      return id === undefined
        ? client.of(of).createFields(fields, options)
        : client.of(of).patchFields(id, fields, options)
    },
    onSuccess: settle,
  })
}

/** A save waits for the check of the room this long. */
const patienceMs = 2_500

/** What has no room if the values of a form are saved; nothing is stored. */
export function useRoomPreview(of: Collection) {
  const { ref: account } = useAccount()
  return useMutation({
    mutationFn: (saving: Omit<Fields, 'onRecorded'>) =>
      client.of(of).preview({ ...saving, of: 'room' }, { account, signal: AbortSignal.timeout(patienceMs) }),
  })
}

/** Changes single fields of an item, typed: `patch.mutate({ id, changes: { enabled: false, version } })`. */
export function usePatch<C extends Collection>(
  of: C,
): UseMutationResult<EntityOf<C>, Error, { id: string; changes: PatchOf<C> }> {
  const settle = useSettle(of)
  return useMutation({
    mutationFn: ({ id, changes }: { id: string; changes: PatchOf<C> }) => client.of(of).patch(id, changes),
    onSuccess: settle,
  })
}

function useSettle<C extends Collection>(of: C) {
  const { ref } = useAccount()
  const queryClient = useQueryClient()
  return async (saved: EntityOf<C>) => {
    const id = idOf(saved)
    queryClient.setQueryData(itemKey({ of, accountRef: ref, id }), saved)
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: listsKey(of, ref) }),
      queryClient.invalidateQueries({ queryKey: nameKey({ of, accountRef: ref, id }) }),
    ])
  }
}
