import type { Collection } from '@portcullis/contract/collection'
import { keepPreviousData, type Query, useQuery } from '@tanstack/react-query'
import { useAccount } from '../session/session-context.tsx'

/** Also where nothing is heard of: the hours go on, and a mode of a door ends by itself. */
const againMs = 60_000
/** What took long is asked again after so many times as long: a busy account's day is not read without a pause. */
const restOf = 30

type Asked<T> = { of: Collection; what: string; ask: (signal: AbortSignal) => Promise<T>; isEnabled?: boolean }

/** What a tile shows of a collection, kept as fresh as `Following` has it. `what` tells the questions to a collection apart. */
export function useTold<T>({ of, what, ask, isEnabled = true }: Asked<T>) {
  const { ref } = useAccount()
  return useQuery({
    queryKey: [...toldKey(of, ref), what],
    queryFn: async ({ signal, queryKey }) => {
      const since = performance.now()
      const told = await ask(signal)
      tookMs.set(JSON.stringify(queryKey), performance.now() - since)
      return told
    },
    refetchInterval: againMs,
    placeholderData: keepPreviousData,
    enabled: isEnabled,
  })
}

export function toldKey(of: Collection, accountRef: string) {
  return ['dashboard', accountRef, of.name] as const
}

/** Whether enough time has passed since a question was answered to ask it again. */
export function isRested({ queryKey, state }: Pick<Query, 'queryKey' | 'state'>) {
  return Date.now() - state.dataUpdatedAt >= restOf * (tookMs.get(JSON.stringify(queryKey)) ?? 0)
}

const tookMs = new Map<string, number>()
