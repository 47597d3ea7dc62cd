import type { Collection } from '@portcullis/contract/collection'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useAccount } from '../session/session-context.tsx'

/** Also where nothing is heard of: the hours go on, and a mode of a door ends by itself. */
const againMs = 60_000

type Asked<T> = { of: Collection; what: string; ask: (signal: AbortSignal) => Promise<T>; isEnabled?: boolean }

/** What a tile shows of a collection, kept as fresh as `Following` has it. `what` tells the questions to a collection apart. */
export function useTold<T>({ of, what, ask, isEnabled = true }: Asked<T>) {
  const { ref } = useAccount()
  return useQuery({
    queryKey: [...toldKey(of, ref), what],
    queryFn: ({ signal }) => ask(signal),
    refetchInterval: againMs,
    placeholderData: keepPreviousData,
    enabled: isEnabled,
  })
}

export function toldKey(of: Collection, accountRef: string) {
  return ['dashboard', accountRef, of.name] as const
}
