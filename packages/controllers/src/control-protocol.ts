import { readKinds } from '@portcullis/contract/unit-protocol/records'
import { directions } from '@portcullis/domain/policy'
import { reasonCodes } from '@portcullis/domain/decision/reasons'
import { z } from 'zod'

const serial = z
  .string()
  .max(60)
  .regex(/^(?!\.+$)[\w.:-]+$/, 'A serial has letters, digits and . : - _ only.')
const doorNumber = z.int().min(1)
const atReader = { door: doorNumber, direction: z.enum(directions).default('entry') }
const memory = z.enum(['works', 'full', 'stuck'])

/** The input of each control request of the virtual units. */
export const controlInputs = {
  add: z.strictObject({ serial, model: z.string().max(80).optional(), code: z.string().min(1).max(64) }),
  present: z.union([
    z.strictObject({
      ...atReader,
      kind: z.enum(readKinds).default('card'),
      number: z.string().min(1).max(64),
      pin: z.string().max(64).optional(),
    }),
    z.strictObject({ ...atReader, kind: z.literal('pin'), pin: z.string().min(1).max(64) }),
  ]),
  door: z.strictObject({ door: doorNumber, what: z.enum(['forced', 'held', 'closed', 'exit']) }),
  faults: z.strictObject({
    offline: z.boolean().optional(),
    slowMs: z.int().min(0).max(600_000).optional(),
    duplicate: z.boolean().optional(),
    clockOffsetMs: z.int().optional(),
    memory: memory.optional(),
    tampered: z.boolean().optional(),
    onBattery: z.boolean().optional(),
  }),
}

export const verdict = z.object({ verdict: z.enum(['grant', 'deny']), reason: z.enum(reasonCodes).nullable() })

export const unitFaults = z.object({
  offline: z.boolean(),
  slowMs: z.number(),
  duplicate: z.boolean(),
  clockOffsetMs: z.number(),
  memory,
  tampered: z.boolean(),
  onBattery: z.boolean(),
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
      appliedVersion: z.int().nullable(),
      highestVersion: z.int(),
      pendingEvents: z.int(),
      /** The server's last refusal of this unit. */
      refusal: z.string().nullable(),
      doors: z.array(
        z.object({
          number: z.int(),
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

export const controlError = z.object({ error: z.string() })
