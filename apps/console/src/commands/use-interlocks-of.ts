import type { DoorInterlocks } from '@portcullis/contract/calls/door-interlocks'
import { doors } from '@portcullis/contract/collections/doors'
import { useQuery } from '@tanstack/react-query'
import { collectionKey } from '../item/keys.ts'
import { reachOf } from '../item/reach-of.ts'
import { client } from '../session/client.ts'
import { useAccount, useCan } from '../session/session-context.tsx'

/** What controllers report of their locks changes no item, so it is read again. */
const everyMs = 10_000

/** The interlocks of a door, as long as they are shown. */
export function useInterlocksOf(door: string | null | undefined) {
  const { ref } = useAccount()
  const isOpen = useCan('view', doors.subject)
  return useQuery({
    queryKey: [...collectionKey(doors, ref), 'interlocks', door],
    queryFn: ({ signal }) => client.doorInterlocks(door ?? '', { signal, ...reachOf(doors) }),
    enabled: isOpen && typeof door === 'string',
    refetchInterval: everyMs,
  })
}

export type InterlockedDoor = DoorInterlocks['interlocks'][number]['doors'][number]

/** The other doors of a door's interlocks, each once. */
export function otherDoors({ interlocks }: DoorInterlocks, door: string): InterlockedDoor[] {
  const all = interlocks.flatMap(({ doors }) => doors).filter(({ _id }) => _id !== door)
  return [...new Map(all.map((other) => [other._id, other])).values()]
}

/** Those that may keep the others locked. */
export function notClosed(doors: readonly InterlockedDoor[]) {
  return doors.filter(({ state }) => state === 'open' || state === 'unknown')
}
