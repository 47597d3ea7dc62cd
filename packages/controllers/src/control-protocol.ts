import { readKinds } from '@portcullis/contract/unit-protocol/records'
import { directions } from '@portcullis/domain/policy'
import { reasonCodes } from '@portcullis/domain/decision/reasons'
import { z } from 'zod'
import { noFaults } from './unit-link.ts'

const serial = z
  .string('Enter the serial number of the controller.')
  .max(60, 'A serial number has at most 60 characters.')
  .regex(/^(?!\.+$)[\w.:-]+$/, 'A serial number has only letters, digits and . : - _')
/** As large as a record can hold. */
const doorNumber = z
  .int('Enter the door number on the controller, such as 1.')
  .min(1, 'Door numbers start at 1.')
  .max(2 ** 31 - 1, 'Door numbers are at most 2,147,483,647.')
const atReader = { door: doorNumber, direction: z.enum(directions).default('entry') }
const pin = z.string('Enter the PIN.').max(64, 'A PIN has at most 64 characters.')
const memory = z.enum(['works', 'full', 'stuck'])
const maxSlowMs = 600_000
const maxClockOffsetMs = 100 * 365 * 24 * 60 * 60_000

function room(most: number, of: string) {
  return z
    .int(`The number of ${of} is a whole number.`)
    .min(0, `The number of ${of} cannot be negative.`)
    .max(most, `The number of ${of} is at most ${most.toLocaleString('en-GB')}.`)
}

/** A smaller log has no room for the record of what it has dropped. */
export const leastEvents = 10

/** The input of each control request of the virtual units. */
export const controlInputs = {
  add: z.strictObject({
    serial,
    model: z.string().max(80, 'A model has at most 80 characters.').optional(),
    code: z.string('Enter the code from the console.').min(1, 'Enter the code from the console.').max(64),
  }),
  present: z.discriminatedUnion('kind', [
    z.strictObject({
      ...atReader,
      kind: z.enum(readKinds).default('card'),
      number: z
        .string('Enter the number of the credential.')
        .min(1, 'Enter the number of the credential.')
        .max(64, 'The number of a credential has at most 64 characters.'),
      pin: pin.optional(),
    }),
    z.strictObject({ ...atReader, kind: z.literal('pin'), pin: pin.min(1, 'Enter the PIN.') }),
  ]),
  remove: z.strictObject({}),
  door: z.strictObject({ door: doorNumber, what: z.enum(['forced', 'held', 'closed', 'exit']) }),
  faults: z.strictObject({
    offline: z.boolean().optional(),
    slowMs: z
      .int('The delay is a whole number of milliseconds.')
      .min(0, 'The delay cannot be negative.')
      .max(maxSlowMs, 'The delay is at most 600,000 ms.')
      .optional(),
    duplicate: z.boolean().optional(),
    reordered: z.boolean().optional(),
    lossPercent: z
      .int('The share of lost messages is a whole number of percent.')
      .min(0, 'The share of lost messages is at least 0 %.')
      .max(100, 'The share of lost messages is at most 100 %.')
      .optional(),
    unreadable: z.boolean().optional(),
    clockOffsetMs: z
      .int('The clock offset is a whole number of milliseconds.')
      .min(-maxClockOffsetMs, 'The clock is wrong by at most 100 years.')
      .max(maxClockOffsetMs, 'The clock is wrong by at most 100 years.')
      .optional(),
    memory: memory.optional(),
    diskFails: z.boolean().optional(),
    tampered: z.boolean().optional(),
    onBattery: z.boolean().optional(),
    maxDoors: room(noFaults.maxDoors, 'doors').optional(),
    maxCredentials: room(noFaults.maxCredentials, 'credentials').optional(),
    maxSchedules: room(noFaults.maxSchedules, 'schedules').optional(),
    maxEvents: room(noFaults.maxEvents, 'events')
      .min(leastEvents, `The number of events is at least ${leastEvents}.`)
      .optional(),
  }),
}

export const verdict = z.object({ verdict: z.enum(['grant', 'deny']), reason: z.enum(reasonCodes).nullable() })

export const unitFaults = z.object({
  offline: z.boolean(),
  slowMs: z.number(),
  duplicate: z.boolean(),
  reordered: z.boolean(),
  lossPercent: z.number(),
  unreadable: z.boolean(),
  clockOffsetMs: z.number(),
  memory,
  diskFails: z.boolean(),
  tampered: z.boolean(),
  onBattery: z.boolean(),
  maxDoors: z.number(),
  maxCredentials: z.number(),
  maxSchedules: z.number(),
  maxEvents: z.number(),
})

export const unitState = z.object({
  serial: z.string(),
  faults: unitFaults,
  /** Null while it is switched off. */
  running: z
    .object({
      unit: z.string().nullable(),
      name: z.string().nullable(),
      model: z.string().nullable(),
      isOnline: z.boolean(),
      /** How many the server has welcomed since the power is on. */
      connections: z.int(),
      appliedVersion: z.int().nullable(),
      highestVersion: z.int(),
      pendingEvents: z.int(),
      /** Why it is not connected, such as the server's refusal; null while it is, and before the first attempt. */
      offlineReason: z.string().nullable(),
      doors: z.array(
        z.object({
          number: z.int(),
          /** Null for a door that the applied configuration does not have. */
          name: z.string().nullable(),
          position: z.enum(['closed', 'open', 'forced', 'held']),
          lock: z.enum(['locked', 'unlocked']),
        }),
      ),
    })
    .nullable(),
})

export const unitStates = z.array(unitState)

/** The file through which the control is found: `control.json` in the process's folder, readable by its owner only. */
export const controlFileName = 'control.json'
export const controlFile = z.object({ url: z.url(), token: z.string(), pid: z.int() })

/** The address of the page, with the token in the part that a browser sends to no server. */
export function pageUrl({ url, token }: { url: string; token: string }) {
  return `${url}/#token=${token}`
}

export const controlError = z.object({ error: z.string() })
