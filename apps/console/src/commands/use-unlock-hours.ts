import { type DoorUnlockHours, maxUnlockHours } from '@portcullis/contract/calls/door-unlock-hours'
import type { EntityOf } from '@portcullis/contract/collection'
import { doors } from '@portcullis/contract/collections/doors'
import { units } from '@portcullis/contract/collections/units'
import { modeAt } from '@portcullis/domain/decision/door-mode'
import { useQuery } from '@tanstack/react-query'
import { batchById } from '../item/batch-by-id.ts'
import { collectionKey } from '../item/keys.ts'
import { reachOf } from '../item/reach-of.ts'
import { useFieldOf } from '../item/use-field-of.ts'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import { useMinute } from '../time/use-minute.ts'

/** Hours begin and end, without a message. */
const againMs = 60_000

/**
 * Until when a door in its normal mode stands unlocked by its schedule, and whether its controller confirms it; undefined if
 * it does not. Those of a page are one request.
 */
export function useUnlockHours(door: EntityOf<typeof doors>): DoorUnlockHours | undefined {
  const { _id, unlockSchedule, enabled, modeVersion } = door
  const { ref } = useAccount()
  const at = useMinute().getTime()
  const isScheduled = enabled && unlockSchedule !== null && modeAt(door, at) === 'normal'
  const { data } = useQuery({
    queryKey: [...collectionKey(doors, ref), 'unlockHours', _id, unlockSchedule, modeVersion],
    queryFn: async () => (await readHours(_id)) ?? null,
    enabled: isScheduled,
    refetchInterval: againMs,
    retry: false,
  })
  const isOffline = useFieldOf(units, { id: door.unit, field: 'status' }) === 'offline'
  if (!isScheduled || !data || !isUnlockedAt(data, at)) return undefined
  return { ...data, isConfirmed: data.isConfirmed && !isOffline }
}

/** By an answer that may have been read before. */
export function isUnlockedAt({ isUnlocked, until }: DoorUnlockHours, at: number) {
  return isUnlocked && (until === null || at < Date.parse(until))
}

const readHours = batchById<DoorUnlockHours>(
  async (ids) => {
    const { doors: found } = await client.doorUnlockHours(ids, reachOf(doors))
    return new Map(found.map((each) => [each._id, each]))
  },
  { maxIds: maxUnlockHours },
)
