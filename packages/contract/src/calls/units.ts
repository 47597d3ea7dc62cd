import { z } from 'zod'
import { defineCall, manage, schemaNames } from '../call.ts'
import { units, unitSerial } from '../collections/units.ts'

const unitEnrolment = z
  .object({ code: z.string(), expiresAt: z.iso.datetime() })
  .register(schemaNames, { id: 'UnitEnrolment' })

export const enrolUnit = defineCall({
  id: 'enrol-unit',
  method: 'POST',
  path: '/api/units/{id}/enrolment',
  tag: 'units',
  summary: 'Create the code with which a controller enrols',
  description: 'The code works once, until it expires, and replaces an earlier one that was not used.',
  access: 'account',
  abilities: [manage('Controllers')],
  needsFreshSignIn: true,
  params: { id: 'The _id of the unit.' },
  output: unitEnrolment,
  returns: 'The code, shown only here.',
  errors: ['not_found'],
})

export const revokeUnit = defineCall({
  id: 'revoke-unit',
  method: 'POST',
  path: '/api/units/{id}/revoke',
  tag: 'units',
  summary: 'Revoke the key of a controller',
  description:
    'Its connection ends at once and its key and enrolment codes are deleted. Its doors keep deciding by the last configuration until a controller enrols again with a new code.',
  access: 'account',
  abilities: [manage('Controllers')],
  needsFreshSignIn: true,
  params: { id: 'The _id of the unit.' },
  output: units.entitySchema,
  isRecorded: true,
  returns: 'The unit, no longer enrolled.',
  errors: ['not_found', 'conflict'],
})

export const replaceUnit = defineCall({
  id: 'replace-unit',
  method: 'POST',
  path: '/api/units/{id}/replace',
  tag: 'units',
  summary: 'Replace a broken controller with a new one',
  description:
    'The new controller takes over the doors, the configuration and the history: it enrols as this unit with the code and its own serial. The key of the old controller is revoked at once, so events that it has not delivered are lost.',
  access: 'account',
  abilities: [manage('Controllers')],
  needsFreshSignIn: true,
  params: { id: 'The _id of the unit.' },
  input: z.strictObject({ serial: unitSerial() }),
  output: unitEnrolment,
  returns: 'The enrolment code of the new controller, shown only here.',
  errors: ['not_found', 'conflict', 'taken'],
})

/** A controller that has not answered a request for a heartbeat within this time is considered not to answer. */
export const heartbeatAnswerSeconds = 10

export const requestHeartbeat = defineCall({
  id: 'request-heartbeat',
  method: 'POST',
  path: '/api/units/{id}/requestHB',
  tag: 'units',
  summary: 'Ask a controller for a heartbeat',
  description: `The unit then has heartbeatRequestedAt, and heartbeatAnsweredAt once it has answered, normally within a second. While a request waits, at most ${heartbeatAnswerSeconds} seconds, another one changes nothing.`,
  access: 'account',
  abilities: [manage('Controllers')],
  params: { id: 'The _id of the unit.' },
  output: z.object({ requestedAt: z.iso.datetime() }).register(schemaNames, { id: 'HeartbeatRequest' }),
  returns: 'When the heartbeat was requested.',
  errors: ['not_found', 'unit_offline'],
})

export const commandStatuses = ['requested', 'sent', 'confirmed', 'refused', 'expired', 'not_delivered'] as const

/**
 * Why a command was not delivered: the first three where its controller did not report a reason, the others where it does
 * not trust the server's signature.
 */
export const deliveryFaults = [
  'not_connected',
  'door_deleted',
  'door_rewired',
  'no_answer',
  'not_signed',
  'clock_unknown',
] as const

/**
 * Each status is set only once it has happened: requested, sent to the unit, confirmed by the unit, each with its time.
 */
export const doorCommand = z
  .object({
    _id: z.uuid(),
    door: z.uuid(),
    action: z.literal('unlockOnce'),
    status: z.enum(commandStatuses),
    /** One of `deliveryFaults`, or why the controller refused: a reason code or its own words. */
    detail: z.string().nullable(),
    requestedAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    sentAt: z.iso.datetime().nullable(),
    endedAt: z.iso.datetime().nullable(),
  })
  .register(schemaNames, { id: 'DoorCommand' })
export type DoorCommand = z.output<typeof doorCommand>

/** Users who manage remote access or controllers may send commands to doors. */
const abilities = [[manage('RemoteAuth'), manage('Controllers')]] as const

export const unlockOnce = defineCall({
  id: 'unlock-once',
  method: 'POST',
  path: '/api/doors/{id}/unlockOnce',
  tag: 'doors',
  summary: 'Unlock a door once',
  description:
    'Returns the command before it is carried out; get it again by its _id to see its status. It is not delivered if the controller is not connected.',
  access: 'account',
  abilities,
  params: { id: 'The _id of the door.' },
  output: doorCommand,
  returns: 'The command.',
  errors: ['not_found', 'door_unwired', 'door_left_out'],
})

export const readDoorCommand = defineCall({
  id: 'door-command',
  method: 'GET',
  path: '/api/doors/commands/{id}',
  tag: 'doors',
  summary: 'Get the status of a door command',
  access: 'account',
  abilities,
  params: { id: 'The _id of the command.' },
  output: doorCommand,
  returns: 'The command, with the time of each step.',
  errors: ['not_found'],
})
