import { parseArgs } from 'node:util'
import { directions } from '../packages/domain/src/policy.ts'

type Direction = (typeof directions)[number]
type Inputs = { tampered?: boolean; onBattery?: boolean }

/** One use of `npm run present`; `data` is the folder of the controllers, if it is not that of the demonstration. */
export type PresentRequest = { data: string | undefined } & (
  | { action: 'help' }
  | { action: 'list' }
  | { action: 'inputs'; unit: string; inputs: Inputs }
  | { action: 'present'; unit: string; door: number; direction: Direction; number?: string; pin?: string }
)

/** @throws {Error} with one sentence on what to change, for options that are wrong, missing or contradict each other. */
export function presentRequest(args?: readonly string[]): PresentRequest {
  const { values } = parseArgs({ args: args && [...args], options })
  const { unit, data, door, number, pin, direction } = values
  if (values.help) return { action: 'help', data }
  const inputs = inputsOf(values)
  const changes = Object.keys(inputs).length > 0
  const presents = [door, number, pin, direction].some((value) => value !== undefined)
  if (changes && presents) {
    throw new Error(
      'Use either --tampered and --on-battery, which change the controller, or --door, --number, --pin and --direction, which present a credential.',
    )
  }
  if (unit === undefined) {
    if (changes || presents)
      throw new Error('--unit is missing: add the serial number of the controller, such as --unit PV-2001.')
    return { action: 'list', data }
  }
  return changes ? { action: 'inputs', data, unit, inputs } : { action: 'present', data, unit, ...presentedOf(values) }
}

type Values = { door?: string; number?: string; pin?: string; direction?: string }

function presentedOf({ door, number, pin, direction }: Values) {
  const place = { door: doorOf(door), direction: directionOf(direction) }
  if (number !== undefined) return { ...place, number, ...(pin === undefined ? {} : { pin }) }
  if (pin !== undefined) return { ...place, pin }
  throw new Error(
    'A credential is missing: add --number for a card, --number and --pin for both, or --pin for a PIN alone.',
  )
}

const options = {
  unit: { type: 'string' },
  door: { type: 'string' },
  number: { type: 'string' },
  pin: { type: 'string' },
  help: { type: 'boolean', default: false },
  direction: { type: 'string' },
  data: { type: 'string' },
  tampered: { type: 'string' },
  'on-battery': { type: 'string' },
} as const

function doorOf(text: string | undefined) {
  if (text === undefined) {
    throw new Error(
      '--door is missing: add the door number on the controller, such as --door 1; npm run present lists the doors.',
    )
  }
  const door = Number(text)
  if (Number.isInteger(door) && door >= 1) return door
  throw new Error(`--door cannot be "${text}": use the door number on the controller, such as 1.`)
}

function directionOf(text = 'entry') {
  const direction = directions.find((one) => one === text)
  if (direction) return direction
  throw new Error(`--direction cannot be "${text}": use entry or exit.`)
}

function inputsOf({ tampered, 'on-battery': onBattery }: { tampered?: string; 'on-battery'?: string }): Inputs {
  return {
    ...(tampered === undefined ? {} : { tampered: isYes('--tampered', tampered) }),
    ...(onBattery === undefined ? {} : { onBattery: isYes('--on-battery', onBattery) }),
  }
}

function isYes(option: string, value: string) {
  if (value !== 'yes' && value !== 'no') throw new Error(`${option} cannot be "${value}": use yes or no.`)
  return value === 'yes'
}
