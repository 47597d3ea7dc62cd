import { lockdowns } from '@portcullis/contract/collections/lockdowns'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { activeLockdowns } from '../commands/active-lockdowns.ts'
import { collectionKey } from '../item/keys.ts'
import { useLive } from '../item/use-live.ts'
import { client } from '../session/client.ts'
import { useAccount, useCan } from '../session/session-context.tsx'

/** What controllers confirm changes no lockdown, so the numbers are read again: often while doors are missing. */
const everyMs = { unconfirmed: 1_000, confirmed: 10_000 } as const

/** The active lockdowns of the account, with the progress of their doors. Followed wherever it is used. */
export function useActiveLockdowns() {
  const { ref } = useAccount()
  const isOpen = useCan('view', lockdowns.subject)
  const { data = [] } = useQuery({
    ...activeLockdowns(ref),
    enabled: isOpen,
    refetchInterval: ({ state }) => {
      if (!state.data?.length) return false
      const isDone = state.data.every(({ doors }) => doors.confirmed === doors.total)
      return isDone ? everyMs.confirmed : everyMs.unconfirmed
    },
  })
  return data
}

/** Reads the lockdowns again as soon as one begins or ends. */
export function useFollowedLockdowns() {
  const again = useReadAgain()
  useLive(lockdowns, { haste: 'always', onSaved: () => void again() })
}

function useReadAgain() {
  const { ref } = useAccount()
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: collectionKey(lockdowns, ref) })
}

export function useStart(onStarted: () => void) {
  const again = useReadAgain()
  return useMutation({
    mutationFn: (plan: string) => client.startLockdown(plan),
    onSuccess: async () => {
      onStarted()
      await again()
    },
  })
}

export function useEnd(onEnded: () => void) {
  const again = useReadAgain()
  return useMutation({
    mutationFn: (lockdown: string) => client.endLockdown(lockdown),
    onSuccess: async () => {
      onEnded()
      await again()
    },
  })
}
