import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo } from 'react'

/** From here on a password is good enough; the server holds the same. */
const leastScore = 3

export type Strength = { score: 0 | 1 | 2 | 3 | 4; isEnough: boolean }

/**
 * Judges a password while it is typed, by somebody's own words, too. What judges is large and loads with the first letter;
 * nothing until it is there, or where it does not come: the server judges in any case.
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
