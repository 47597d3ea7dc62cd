import { accounts } from '@portcullis/contract/collections/accounts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { collectionKey } from '../item/keys.ts'
import { toast } from '../ui/toasts.ts'
import { hierarchyQuery } from '../session/me-query.ts'
import { useAccount } from '../session/session-context.tsx'

type Change<A, T> = { run: (input: A) => Promise<T>; message: string; onDone?: () => void }

/** Changes an account from above, confirms it in a message, and reloads everything that shows the place of accounts. */
export function useAccountChange<T, A = void>({ run, message, onDone }: Change<A, T>) {
  const { ref } = useAccount()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: run,
    onSuccess: async () => {
      toast({ text: message })
      onDone?.()
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: hierarchyQuery().queryKey }),
        queryClient.invalidateQueries({ queryKey: collectionKey(accounts, ref) }),
        queryClient.invalidateQueries({ queryKey: ['me'] }),
      ])
    },
  })
}
