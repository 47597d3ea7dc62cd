import { parseArgs } from 'node:util'
import { readConfig } from '../apps/server/src/config.ts'
import { homeOfControllers } from '../apps/demonstration/src/live/virtual-controllers.ts'
import { type ControlClient, ControlError, controlClientIn } from '../packages/controllers/src/control-client.ts'
import { directions } from '../packages/domain/src/policy.ts'

const usage = `npm run present -- --unit SERIAL --door N --number X [--pin P] [--direction entry|exit] [--data DIR]
npm run present -- --unit SERIAL --door N --pin P
npm run present -- --unit SERIAL [--tampered yes|no] [--on-battery yes|no]
Presents a card, a card with a PIN, or a PIN alone at a virtual controller of the running demonstration, or of npm run virtual-controllers with the same --data.
The console shows the card numbers under Users.`

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})

async function main() {
  const { unit, door, number, pin, direction, data, help, inputs } = readArguments()
  if (help) return console.log(usage)
  const home = data ?? homeOfControllers(readConfig().dataDir)
  try {
    const control = await controlClientIn(home)
    if (unit !== undefined && Object.keys(inputs).length > 0) return await setInputs(control, { unit, inputs })
    const shown = presentedBy({ number, pin })
    if (unit === undefined || door === undefined || shown === undefined) return await listUnits(control)
    const { verdict, reason } = await control.present(unit, { door, direction, ...shown })
    console.log(verdict === 'grant' ? 'Granted.' : `Denied: ${reason}.`)
  } catch (cause) {
    if (cause instanceof ControlError) throw cause
    throw new Error(
      `No virtual controllers are running in ${home}. Run npm start, or pass the folder of others with --data.`,
      {
        cause,
      },
    )
  }
}

async function setInputs(control: ControlClient, { unit, inputs }: { unit: string; inputs: Inputs }) {
  const { tampered, onBattery } = (await control.setFaults(unit, inputs)).faults
  console.log(`Tampered: ${tampered ? 'yes' : 'no'}. On battery: ${onBattery ? 'yes' : 'no'}.`)
}

function presentedBy({ number, pin }: { number?: string | undefined; pin?: string | undefined }) {
  if (number !== undefined) return { number, pin }
  return pin === undefined ? undefined : { kind: 'pin' as const, pin }
}

async function listUnits(control: ControlClient) {
  for (const { serial, running } of await control.list()) {
    if (!running) {
      console.log(`${serial}  switched off`)
      continue
    }
    console.log(`${serial}  ${running.name}, ${running.isOnline ? 'online' : 'offline'}`)
    for (const { number, name, position, lock } of running.doors) {
      console.log(`  door ${number}  ${name ?? 'not configured'}, ${position}, ${lock}`)
    }
  }
  console.log(`\n${usage}`)
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      unit: { type: 'string' },
      door: { type: 'string' },
      number: { type: 'string' },
      pin: { type: 'string' },
      help: { type: 'boolean', default: false },
      direction: { type: 'string', default: 'entry' },
      data: { type: 'string' },
      tampered: { type: 'string' },
      'on-battery': { type: 'string' },
    },
  })
  const direction = directions.find((one) => one === values.direction)
  const door = values.door === undefined ? undefined : Number(values.door)
  if (door !== undefined && (!Number.isInteger(door) || door < 1)) {
    throw new Error(`--door cannot be "${values.door}": use the door number on the controller, such as 1.`)
  }
  if (direction === undefined) throw new Error(`--direction cannot be "${values.direction}": use entry or exit.`)
  return { ...values, door, direction, inputs: inputsOf(values) }
}

type Inputs = { tampered?: boolean; onBattery?: boolean }

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
