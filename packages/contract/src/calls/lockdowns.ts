import { z } from 'zod'
import { defineCall, manage, schemaNames, view } from '../call.ts'
import { lockdowns } from '../collections/lockdowns.ts'

export const startLockdown = defineCall({
  id: 'start-lockdown',
  method: 'POST',
  path: '/api/lockdownPlans/{id}/start',
  tag: 'lockdownPlans',
  summary: 'Lock down the doors of a plan',
  description:
    'Locks down all doors of the plan that are wired to a controller, until the lockdown ends. A plan has one lockdown at a time: if one is active, returns it and changes nothing. Needs the right to manage Access Control at all of these doors.',
  access: 'account',
  abilities: [manage('Access Control')],
  params: { id: 'The _id of the plan.' },
  output: lockdowns.entitySchema,
  isRecorded: true,
  returns: 'The active lockdown of the plan.',
  errors: ['not_found', 'forbidden_below', 'plan_without_doors'],
})

export const endLockdown = defineCall({
  id: 'end-lockdown',
  method: 'POST',
  path: '/api/lockdowns/{id}/end',
  tag: 'lockdowns',
  summary: 'End a lockdown',
  description:
    'A door that no other lockdown names returns to the mode that it had before. If the lockdown has ended already, returns it and changes nothing.',
  access: 'account',
  abilities: [manage('Access Control')],
  params: { id: 'The _id of the lockdown.' },
  output: lockdowns.entitySchema,
  isRecorded: true,
  returns: 'The lockdown, with its end.',
  errors: ['not_found', 'forbidden_below'],
})

const activeLockdown = lockdowns.entitySchema
  .extend({ doors: z.object({ total: z.int(), confirmed: z.int(), unreachable: z.int() }) })
  .register(schemaNames, { id: 'ActiveLockdown' })
export type ActiveLockdown = z.output<typeof activeLockdown>

export const activeLockdowns = defineCall({
  id: 'active-lockdowns',
  method: 'GET',
  path: '/api/lockdowns/active',
  tag: 'lockdowns',
  summary: 'Get the active lockdowns, with the number of doors that have confirmed each',
  access: 'account',
  abilities: [view('Access Control')],
  output: z.array(activeLockdown),
  returns: 'The lockdowns that have not ended, the latest first.',
})

/**
 * `confirmed`: the controller has reported that it applies the lockdown. `requested`: not yet. `unreachable`: not yet, and
 * the controller is not connected.
 */
export const lockdownStates = ['requested', 'confirmed', 'unreachable'] as const

const doorInLockdown = z
  .object({
    _id: z.uuid(),
    name: z.string(),
    siteName: z.string(),
    unit: z.uuid().nullable(),
    state: z.enum(lockdownStates),
    requestedAt: z.iso.datetime().nullable(),
    confirmedAt: z.iso.datetime().nullable(),
    /** Null if the controller was never connected, or is reachable. */
    unreachableSince: z.iso.datetime().nullable(),
  })
  .register(schemaNames, { id: 'DoorInLockdown' })
export type DoorInLockdown = z.output<typeof doorInLockdown>

/** The maximum number of doors in an answer; the number of all is in the active lockdowns. */
export const maxLockdownDoors = 500

export const lockdownDoors = defineCall({
  id: 'lockdown-doors',
  method: 'GET',
  path: '/api/lockdowns/{id}/doors',
  tag: 'lockdowns',
  summary: 'Get the doors of an active lockdown, each with its state',
  access: 'account',
  abilities: [view('Access Control'), view('Sites')],
  params: { id: 'The _id of the lockdown.' },
  output: z.array(doorInLockdown),
  returns: `At most ${maxLockdownDoors} doors, those that have not confirmed first. None once the lockdown has ended.`,
  errors: ['not_found'],
})
