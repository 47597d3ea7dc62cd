import { type doorModeRequest, maxHoldHours } from '@portcullis/contract/calls/door-modes'
import { doors } from '@portcullis/contract/collections/doors'
import { problem } from '@portcullis/contract/errors/problem'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { workAs } from '../abilities/access-proof.ts'
import { patchItem } from '../collections/patch.ts'
import type { CollectionHooks } from '../collections/collection-hooks.ts'
import { demandNoLockdown } from '../commands/demand-no-lockdown.ts'
import { demandRoomForDoor } from '../commands/left-out-door.ts'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { unusable } from '../errors/unusable.ts'

type EndOfInput = z.output<typeof doorModeRequest>
type SetDoorModeInput = { access: Access; id: string; desired: EndOfInput; now: Date }

/**
 * Sets the desired mode of a door and records who set it; returns the door and the entry of history. The gateway sends it
 * to the controller, and it is active once the controller confirms it.
 */
export async function setDoorMode(database: Database, { access, id, desired, now }: SetDoorModeInput) {
  const until = endOf(desired, now)
  const changes = { mode: desired.mode, modeUntil: until, modeSetAt: now.toISOString() }
  return workAs(database, access, (tx) =>
    patchItem(tx, { collection: doors, hooks: hooksFor(desired), access, id, changes, expected: undefined }),
  )
}

/**
 * Versions of a mode go up by one; only a door with a controller can keep one. A door for which the controller has no room is
 * not held unlocked, because it would be unlocked by itself once there is room.
 */
function hooksFor({ mode }: EndOfInput): CollectionHooks {
  return {
    async beforePatch({ tx, access }, { before }) {
      demandNoLockdown(before)
      if (before['unit'] === null || before['unitDoor'] === null) throw new AppError('door_unwired')
      const door = z.uuid().parse(before['_id'])
      const { key: account } = access.account
      if (mode === 'unlocked') await demandRoomForDoor(tx, { account, door, version: 'next' })
      return { modeVersion: z.int().parse(before['modeVersion']) + 1 }
    },
  }
}

function endOf(desired: EndOfInput, now: Date) {
  if (desired.mode === 'normal' || desired.mode === 'lockdown' || desired.until === null) return null
  const ms = Date.parse(desired.until) - now.getTime()
  if (ms <= 0) throw unusable('until', problem('moment_passed'))
  if (desired.mode === 'unlocked' && ms > maxHoldHours * 3_600_000) {
    throw unusable('until', problem('hold_too_long', { hours: maxHoldHours }))
  }
  return new Date(desired.until).toISOString()
}
