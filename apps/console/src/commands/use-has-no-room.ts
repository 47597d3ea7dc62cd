import { units } from '@portcullis/contract/collections/units'
import { useQuery } from '@tanstack/react-query'
import { leftOutKey } from '../item/keys.ts'
import { reachOf } from '../item/reach-of.ts'
import { useFieldOf } from '../item/use-field-of.ts'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'

/** Whether the controller works without this door, for lack of room; false for users who may not see controllers. */
export function useHasNoRoom({ door, unit }: { door: string; unit: string | null }): boolean {
  const { ref } = useAccount()
  const isFull = useFieldOf(units, { id: unit, field: 'capacityExceededSince' }) !== undefined
  const { data } = useQuery({
    queryKey: leftOutKey({ accountRef: ref, unit }),
    queryFn: ({ signal }) => client.leftOut(unit ?? '', { signal, ...reachOf(units) }),
    enabled: isFull,
    staleTime: 60_000,
  })
  return isFull && data !== undefined && data.isApplied && data.doors.some(({ _id }) => _id === door)
}
