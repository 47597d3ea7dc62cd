import sql from 'sql-template-tag'
import { doorInterlocks } from '@portcullis/contract/calls/door-interlocks'
import { doorUnlockHours } from '@portcullis/contract/calls/door-unlock-hours'
import { setDoorMode as setModeCall } from '@portcullis/contract/calls/door-modes'
import { isAllowed } from '@portcullis/contract/abilities'
import { doors } from '@portcullis/contract/collections/doors'
import { modeAt } from '@portcullis/domain/decision/door-mode'
import { doorModes } from '@portcullis/domain/policy'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { type Access, demandField } from '../abilities/access.ts'
import type { CollectionHooks, Writing } from '../collections/collection-hooks.ts'
import { demandNoLockdown } from '../commands/demand-no-lockdown.ts'
import { AppError } from '../errors/app-error.ts'
import type { Database } from '../database/database.ts'
import type { Item } from '../history/record-history.ts'
import type { ServeCall } from '../http/serve-call.ts'
import type { Policies } from '../policy/policies.ts'
import { interlocksOfDoor } from './door-interlocks.ts'
import { setDoorMode } from './set-mode.ts'
import { unlockHoursOfDoors } from './unlock-hours.ts'

/**
 * A door that is part of an interlock or of an active lockdown keeps its wiring. To rewire, delete or restore a door changes the mode of a lock,
 * so it needs the right to set modes, unless the door is at its schedule. So does its unlock schedule, which no interlocked door has.
 */
export const doorHooks: CollectionHooks = {
  async beforeCreate({ access }, item) {
    demandRightToMode(access, item)
    if (item['unlockSchedule']) demandField(access, unlockScheduleField)
    // The lockdowns of a restored door may have ended meanwhile; it stays locked down until a user returns it.
    return 'lockdowns' in item ? { lockdowns: [], modeAfterLockdown: null } : {}
  },
  async beforeDelete({ tx, access }, item) {
    // A lockdown may be starting, which does not wait for other changes.
    const locked = await tx.first(
      doors.entitySchema.pick({ lockdowns: true }),
      sql`select door_lockdowns as lockdowns from door where door_id = ${item['_id']}::uuid for update`,
    )
    demandNoLockdown(locked ?? item)
    demandRightToMode(access, item)
  },
  async beforePatch({ tx, access }, { before, changes }) {
    const { unlockSchedule = before['unlockSchedule'] } = changes
    if (unlockSchedule !== before['unlockSchedule']) demandField(access, unlockScheduleField)
    if (changes['unlockSchedule'] && (await isInterlocked(tx, before)))
      throw new AppError('unlock_schedule_in_interlock', {}, { at: ['unlockSchedule'] })
    const field = rewiredBy({ before, changes })
    if (field === undefined) return {}
    demandNoLockdown(before)
    demandRightToMode(access, before)
    if (await isInterlocked(tx, before)) throw new AppError('door_in_interlock', {}, { at: [field] })
    return {}
  },
}

const rightToModes = { action: 'manage', subject: 'Access Control' } as const
const unlockScheduleField = { field: 'unlockSchedule', subject: rightToModes.subject } as const

async function isInterlocked(tx: Writing['tx'], door: Item) {
  const interlocks = await tx.run(
    sql`select from link join interlocking_group on interlocking_group_id = link_owner
         where link_target = ${door['_id']}::uuid and link_field = 'doors'`,
  )
  return interlocks > 0
}

const modeOfDoor = z.object({ mode: z.enum(doorModes), modeUntil: z.string().nullish() })

/** A new door has no mode yet; one whose deletion is undone has its earlier one. */
function demandRightToMode(access: Access, door: Item) {
  const desired = modeOfDoor.safeParse(door).data
  if (!desired || modeAt({ ...desired, modeUntil: desired.modeUntil ?? null }, Date.now()) === 'normal') return
  if (!isAllowed(access.rules, rightToModes)) throw new AppError('door_has_mode')
}

/** The changed field by which a door is wired otherwise. */
function rewiredBy({ before, changes }: { before: Item; changes: Item }) {
  return ['unit', 'unitDoor'].find((field) => changes[field] !== undefined && changes[field] !== before[field])
}

type RegisterDoorCallsOptions = Pick<ServeCall, 'serveCall'> & { database: Database; policies: Policies }

/** The desired mode of a door, its interlocks, and which doors their schedules unlock. */
export function registerDoorCalls(app: FastifyInstance, { database, policies, serveCall }: RegisterDoorCallsOptions) {
  serveCall(app, setModeCall, async ({ access, path, input }) =>
    setDoorMode(database, { access, ...path, desired: input, now: new Date() }),
  )
  serveCall(app, doorInterlocks, async ({ access, path }) => interlocksOfDoor(database, { access, door: path.id }))
  serveCall(app, doorUnlockHours, async ({ access, query }) => ({
    doors: await unlockHoursOfDoors({ database, policies }, { access, ...query }),
  }))
}
