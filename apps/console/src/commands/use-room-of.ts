import { units } from '@portcullis/contract/collections/units'
import { useQuery } from '@tanstack/react-query'
import { leftOutKey } from '../item/keys.ts'
import { reachOf } from '../item/reach-of.ts'
import { useFieldOf } from '../item/use-field-of.ts'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'

/** `loading`, or `unknown` after a failure, while the controller lacks room and what it leaves out has not arrived. */
export type Room = 'enough' | 'lacking' | 'loading' | 'unknown'

/** Whether the controller has room for a door; `enough` for users who may not see controllers. */
export function useRoomOf({ door, unit }: { door: string; unit: string | null }): Room {
  const { ref } = useAccount()
  const isFull = useFieldOf(units, { id: unit, field: 'capacityExceededSince' }) !== undefined
  const { data, isError } = useQuery({
    queryKey: leftOutKey({ accountRef: ref, unit }),
    queryFn: ({ signal }) => client.leftOut(unit ?? '', { signal, ...reachOf(units) }),
    enabled: isFull,
    staleTime: 60_000,
    // A failure shows more tags with this query, which must not begin it again.
    retryOnMount: false,
  })
  if (!isFull) return 'enough'
  if (!data) return isError ? 'unknown' : 'loading'
  return data.isApplied && data.doors.some(({ _id }) => _id === door) ? 'lacking' : 'enough'
}
