import { z } from 'zod'
import { type ReadLine, readCommandLine, wholeNumber } from '../packages/controllers/src/command-line.ts'
import { directions } from '../packages/domain/src/policy.ts'

export const usage = `npm run present -- --unit SERIAL --door N --number X [--pin P] [--direction entry|exit] [--data DIR]
npm run present -- --unit SERIAL --door N --pin P
npm run present -- --unit SERIAL [--tampered yes|no] [--on-battery yes|no]
npm run present
Presents a card, a card with a PIN, or a PIN alone at a virtual controller of the running demonstration, or of npm run virtual-controllers with the same --data.
Without options, it lists the controllers and their doors.
The console shows the card numbers under Users.
The exit code is 1 if the request failed, 2 for invalid options.`

type Direction = (typeof directions)[number]
type Inputs = { tampered?: boolean; onBattery?: boolean }

/** One use of `npm run present`; `data` is the folder of the controllers, if it is not that of the demonstration. */
export type PresentRequest = { data: string | undefined } & (
  | { action: 'list' }
  | { action: 'inputs'; unit: string; inputs: Inputs }
  | { action: 'present'; unit: string; door: number; direction: Direction; number?: string; pin?: string }
)

const yesOrNo = z.enum(['yes', 'no'], 'must be yes or no.').transform((answer) => answer === 'yes')

const schema = z
  .object({
    unit: z.string().optional(),
    data: z.string().optional(),
    door: wholeNumber({ min: 1 }).optional(),
    number: z.string().optional(),
    pin: z.string().optional(),
    direction: z.enum(directions, 'must be entry or exit.').optional(),
    tampered: yesOrNo.optional(),
    'on-battery': yesOrNo.optional(),
  })
  .transform((values, context): PresentRequest => {
    const missing = (message: string) => {
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    }
    const { unit, data, door, direction = 'entry', number, pin, tampered, 'on-battery': onBattery } = values
    const changes = [tampered, onBattery].some((value) => value !== undefined)
    const presents = [door, number, pin, values.direction].some((value) => value !== undefined)
    if (changes && presents) {
      return missing(
        'Use either --tampered and --on-battery, which change the controller, or --door, --number, --pin and --direction, which present a credential.',
      )
    }
    if (unit === undefined) {
      if (!changes && !presents) return { action: 'list', data }
      return missing('--unit is missing: add the serial number of the controller, such as --unit PV-2001.')
    }
    if (changes) {
      const inputs = {
        ...(tampered === undefined ? {} : { tampered }),
        ...(onBattery === undefined ? {} : { onBattery }),
      }
      return { action: 'inputs', data, unit, inputs }
    }
    if (door === undefined) {
      return missing(
        '--door is missing: add the door number on the controller, such as --door 1; npm run present lists the doors.',
      )
    }
    if (number === undefined && pin === undefined) {
      return missing(
        'A credential is missing: add --number for a card, --number and --pin for both, or --pin for a PIN alone.',
      )
    }
    const credential = { ...(number === undefined ? {} : { number }), ...(pin === undefined ? {} : { pin }) }
    return { action: 'present', data, unit, door, direction, ...credential }
  })

/** Reads what the command line requests. */
export function presentRequest(given?: readonly string[]): ReadLine<PresentRequest> {
  return readCommandLine({
    usage,
    options: {
      unit: { type: 'string' },
      data: { type: 'string' },
      door: { type: 'string' },
      number: { type: 'string' },
      pin: { type: 'string' },
      direction: { type: 'string' },
      tampered: { type: 'string' },
      'on-battery': { type: 'string' },
    },
    schema,
    ...(given && { given }),
  })
}
