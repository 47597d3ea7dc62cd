import type { State } from '../ui/state-tag.tsx'
import { text } from '../text/text.ts'
import { doorNames } from './door-names.ts'
import { blockingDoors, otherDoors, useInterlocksOf } from './use-interlocks-of.ts'

type Hold = { state: State; note?: string }

/**
 * How a door is shown whose controller has confirmed that it is held unlocked, because an interlock may keep it locked;
 * undefined for null.
 */
export function useHoldOf(door: string | null): Hold | undefined {
  const { data } = useInterlocksOf(door)
  if (door === null) return undefined
  if (!data) return { state: 'set_unlocked' }
  const others = otherDoors(data, door)
  if (data.lock === 'unlocked') return { state: 'unlocked' }
  // The other doors may be those of an account that the user does not see.
  if (others.length === 0) return { state: data.lock === 'unknown' ? 'set_unlocked' : 'kept_locked' }
  if (data.lock === 'unknown') {
    return {
      state: 'set_unlocked',
      note: text(`doorModes.holdsWhile.${others.length === 1 ? 'one' : 'more'}`, { doors: doorNames(others) }),
    }
  }
  const blocking = blockingDoors(data).filter(({ _id }) => _id !== door)
  const doors = doorNames(blocking.length > 0 ? blocking : others)
  return { state: 'kept_locked', note: text('doorModes.lockedByInterlock', { doors }) }
}
