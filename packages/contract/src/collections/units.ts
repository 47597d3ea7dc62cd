import { z } from 'zod'
import { defineCollection } from '../collection.ts'
import { instant, reference, text } from '../fields.ts'
import { name } from '../names.ts'
import { configSize, unitCapacity } from '../unit-capacity.ts'
import { fieldCode } from '../errors/field-codes.ts'

export const unitStatuses = ['never_seen', 'online', 'offline'] as const

/**
 * Why a controller has no current configuration: the server failed to make it, the controller reports a version that no
 * server can have sent, or the policy has changed and is not compiled after 10 seconds.
 */
export const unitFaults = ['not_compiled', 'implausible_version', 'behind_policy'] as const
export type UnitFault = (typeof unitFaults)[number]

/** As printed on the controller. */
export function unitSerial() {
  return text(60).regex(/^[\w.:-]+$/, fieldCode('invalid_serial'))
}

/** The conditions that a controller can have while it is online or offline; each begins and ends with an event. */
export const unitConditions = ['tampered', 'capacityExceeded', 'clockWrong', 'onBattery', 'outOfSync'] as const
export type UnitCondition = (typeof unitConditions)[number]

/** The field that holds when a condition began. */
export function sinceField<C extends UnitCondition>(condition: C): `${C}Since` {
  return `${condition}Since`
}

/** A controller: decides at its doors on its own, from the configuration that it has applied. */
export const units = defineCollection({
  name: 'units',
  entity: 'unit',
  subject: 'Controllers',
  fields: {
    required: { name: name(), serial: unitSerial() },
    optional: {
      site: reference('sites').nullable().default(null),
      model: text(80).nullable().default(null),
      inService: z.boolean().default(true),
    },
    server: { driver: z.literal('portcullis').default('portcullis'), enrolledAt: instant().nullable().default(null) },
    state: {
      status: z.enum(unitStatuses).default('never_seen'),
      lastHeartbeatAt: instant().nullable().default(null),
      /** The last heartbeat that a user requested, and when it came; null while the controller has not answered. */
      heartbeatRequestedAt: instant().nullable().default(null),
      heartbeatAnsweredAt: instant().nullable().default(null),
      firmware: z.string().nullable().default(null),
      address: z.string().nullable().default(null),
      desiredVersion: z.int().nullable().default(null),
      appliedVersion: z.int().nullable().default(null),
      appliedAt: instant().nullable().default(null),
      rejection: z.string().nullable().default(null),
      fault: z.enum(unitFaults).nullable().default(null),
      clockOffsetMs: z.int().nullable().default(null),
      /** When each of its conditions began, for the server; null while it does not have them. */
      outOfSyncSince: instant().nullable().default(null),
      clockWrongSince: instant().nullable().default(null),
      capacityExceededSince: instant().nullable().default(null),
      tamperedSince: instant().nullable().default(null),
      onBatterySince: instant().nullable().default(null),
      /**
       * The maximum that it can hold, as reported at its last connection, and the size of the desired configuration.
       */
      capacity: unitCapacity.nullable().default(null),
      configSize: configSize.nullable().default(null),
      /** Events waiting on the unit, the delay of the latest live event, and the progress of backfilling. */
      pendingEvents: z.int().nullable().default(null),
      eventDelayMs: z.int().nullable().default(null),
      backfilledUpTo: instant().nullable().default(null),
    },
  },
  searchable: ['name', 'serial', 'model'],
  queryable: [
    'name',
    'serial',
    'model',
    'site',
    'inService',
    'status',
    'fault',
    'lastHeartbeatAt',
    'firmware',
    ...unitConditions.map(sinceField),
  ],
})
