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

/** The doors of interlocks, each once. */
export function membersOf({ interlocks }: Pick<DoorInterlocks, 'interlocks'>): InterlockedDoor[] {
  const all = interlocks.flatMap(({ doors }) => doors)
  return [...new Map(all.map((door) => [door._id, door])).values()]
}

/** The other doors of a door's interlocks. */
export function otherDoors(of: DoorInterlocks, door: string) {
  return membersOf(of).filter(({ _id }) => _id !== door)
}

/**
 * The doors that keep the others locked: those which are open, or not reported where the server must know it. A controller
 * knows its own doors.
 */
export function blockingDoors({ interlocks }: Pick<DoorInterlocks, 'interlocks'>) {
  const blocking = interlocks.map(({ isShared, doors, ...interlock }) => ({
    ...interlock,
    isShared,
    doors: doors.filter(({ state }) => state === 'open' || (isShared && state === 'unknown')),
  }))
  return membersOf({ interlocks: blocking })
}
