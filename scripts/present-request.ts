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
type Inputs = { tampered: boolean | undefined; onBattery: boolean | undefined }
type Presented = { door: number; direction: Direction; number: string | undefined; pin: string | undefined }

/** One use of `npm run present`; `data` is the folder of the controllers, if it is not that of the demonstration. */
export type PresentRequest = { data: string | undefined } & (
  | { action: 'list' }
  | { action: 'inputs'; unit: string; inputs: Inputs }
  | ({ action: 'present'; unit: string } & Presented)
)

const yesOrNo = z.enum(['yes', 'no'], 'must be yes or no.').transform((answer) => answer === 'yes')

const options = z.object({
  unit: z.string().optional(),
  data: z.string().optional(),
  door: wholeNumber({ min: 1 }).optional(),
  number: z.string().optional(),
  pin: z.string().optional(),
  direction: z.enum(directions, 'must be entry or exit.').optional(),
  tampered: yesOrNo.optional(),
  'on-battery': yesOrNo.optional(),
})

const schema = options
  .superRefine((values, context) => {
    const fault = faultOf(values)
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault })
  })
  .transform((values): PresentRequest => {
    const { unit, data, door, direction = 'entry', number, pin } = values
    if (unit === undefined) return { action: 'list', data }
    const { tampered, 'on-battery': onBattery } = values
    if (door === undefined) return { action: 'inputs', data, unit, inputs: { tampered, onBattery } }
    return { action: 'present', data, unit, door, direction, number, pin }
  })

type Values = z.output<typeof options>

/** What to change in options that are incomplete or contradict each other. */
function faultOf({ unit, door, number, pin, direction, ...values }: Values) {
  const changes = (values.tampered ?? values['on-battery']) !== undefined
  const presents = (door ?? number ?? pin ?? direction) !== undefined
  if (changes && presents) {
    return 'Use either --tampered and --on-battery, which change the controller, or --door, --number, --pin and --direction, which present a credential.'
  }
  if (unit === undefined) {
    return changes || presents
      ? '--unit is missing: add the serial number of the controller, such as --unit PV-2001.'
      : undefined
  }
  return changes ? undefined : faultOfPresented({ door, number, pin })
}

function faultOfPresented({ door, number, pin }: Pick<Values, 'door' | 'number' | 'pin'>) {
  if (door === undefined) {
    return '--door is missing: add the door number on the controller, such as --door 1; npm run present lists the doors.'
  }
  return number === undefined && pin === undefined
    ? 'A credential is missing: add --number for a card, --number and --pin for both, or --pin for a PIN alone.'
    : undefined
}

/** Reads what the command line requests. */
export function presentRequest(given?: readonly string[]): ReadLine<PresentRequest> {
  return readCommandLine({
    usage,
    options: options.shape,
    schema,
    ...(given && { given }),
  })
}
