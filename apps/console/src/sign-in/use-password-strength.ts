import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo } from 'react'

/** From this score on a password is accepted; the server has the same limit. */
const leastScore = 3

export type Strength = { score: 0 | 1 | 2 | 3 | 4; isEnough: boolean }

/**
 * Rates a password while it is typed, also against the user's own words. The rating is large and loads with the first letter;
 * undefined until it is loaded, or where it fails to load: the server rates in any case.
 */
export function usePasswordStrength(password: string, ownWords: readonly string[]): Strength | undefined {
  const typed = useDeferredValue(password)
  const { data: judge } = useQuery({
    queryKey: ['password-strength'],
    queryFn: async () => (await import('./estimate-strength.ts')).estimateStrength,
    enabled: typed !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const own = ownWords.join('\n')
  return useMemo(() => {
    if (!judge || typed === '') return undefined
    const score = judge(typed, own.split('\n'))
    return { score, isEnough: score >= leastScore }
  }, [judge, typed, own])
}
