import type { Collection } from '@portcullis/contract/collection'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useAccount } from '../session/session-context.tsx'

/** Also without messages: the hours pass, and a mode of a door ends by itself. */
const againMs = 60_000

/** `costly`: counted row by row, and therefore queried less often. */
export type Cost = 'cheap' | 'costly'

type UseTileQueryInput<T> = {
  of: Collection
  what: string
  ask: (signal: AbortSignal) => Promise<T>
  cost?: Cost
  isEnabled?: boolean
}

/** The data of a tile, kept as fresh as `Following` allows. `what` distinguishes the queries of a collection. */
export function useTileQuery<T>({ of, what, ask, cost = 'cheap', isEnabled = true }: UseTileQueryInput<T>) {
  const { ref } = useAccount()
  return useQuery({
    queryKey: [...announcedKey({ of, accountRef: ref, cost }), what],
    queryFn: ({ signal }) => ask(signal),
    refetchInterval: againMs,
    placeholderData: keepPreviousData,
    enabled: isEnabled,
  })
}

export function announcedKey({ of, accountRef, cost }: { of: Collection; accountRef: string; cost: Cost }) {
  return ['dashboard', accountRef, of.name, cost] as const
}
