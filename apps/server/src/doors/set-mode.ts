import { type doorModeRequest, longestHoldHours } from '@portcullis/contract/calls/door-modes'
import { doors } from '@portcullis/contract/collections/doors'
import { problem } from '@portcullis/contract/errors/problem'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { workAs } from '../abilities/access-proof.ts'
import { patchItem } from '../collections/patch.ts'
import type { ServerHalf } from '../collections/server-half.ts'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { unusable } from '../errors/unusable.ts'

type Wanted = z.output<typeof doorModeRequest>
type Asked = { access: Access; id: string; wanted: Wanted; now: Date }

/**
 * Wants a mode of a door, and records who wanted it; answers the door and the entry of history. What is wanted is told to the
 * controller by the gateway, and is in force when the controller says so.
 */
export function setDoorMode(database: Database, { access, id, wanted, now }: Asked) {
  const until = endOf(wanted, now)
  const changes = { mode: wanted.mode, modeUntil: until, modeSetAt: now.toISOString() }
  return workAs(database, access, (tx) =>
    patchItem(tx, { collection: doors, half: nextMode, access, id, changes, expected: undefined }),
  )
}

/** Versions of a mode go up by one; only a door with a controller can keep one. */
const nextMode: ServerHalf = {
  async beforePatch(_, { before }) {
    if (before['unit'] === null || before['unitDoor'] === null) throw new AppError('door_unwired')
    return { modeVersion: z.int().parse(before['modeVersion']) + 1 }
  },
}

function endOf(wanted: Wanted, now: Date) {
  if (wanted.mode === 'normal' || wanted.mode === 'lockdown' || wanted.until === null) return null
  const ms = Date.parse(wanted.until) - now.getTime()
  if (ms <= 0) throw unusable('until', problem('moment_passed'))
  if (wanted.mode === 'unlocked' && ms > longestHoldHours * 3_600_000) {
    throw unusable('until', problem('hold_too_long', { hours: longestHoldHours }))
  }
  return new Date(wanted.until).toISOString()
}
