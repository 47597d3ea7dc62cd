import { readConfig } from '../apps/server/src/config.ts'
import { homeOfControllers } from '../apps/demonstration/src/live/virtual-controllers.ts'
import { type ControlClient, ControlError, controlClientIn } from '../packages/controllers/src/control-client.ts'
import { valuesOrExit } from '../packages/controllers/src/command-line.ts'
import { type PresentRequest, presentRequest, usage } from './present-request.ts'

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})

async function main() {
  const request = valuesOrExit(presentRequest())
  const home = request.data ?? homeOfControllers(readConfig().dataDir)
  try {
    const control = await controlClientIn(home)
    if (request.action === 'list') return await listUnits(control)
    if (request.action === 'inputs') return await setInputs(control, request)
    const { verdict, reason } = await present(control, request)
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

type RequestOf<A extends PresentRequest['action']> = Extract<PresentRequest, { action: A }>

async function setInputs(control: ControlClient, { unit, inputs }: RequestOf<'inputs'>) {
  const { tampered, onBattery } = (await control.setFaults(unit, inputs)).faults
  console.log(`Tampered: ${tampered ? 'yes' : 'no'}. On battery: ${onBattery ? 'yes' : 'no'}.`)
}

function present(control: ControlClient, { unit, door, direction, number, pin = '' }: RequestOf<'present'>) {
  if (number === undefined) return control.present(unit, { kind: 'pin', door, direction, pin })
  return control.present(unit, { door, direction, number, ...(pin === '' ? {} : { pin }) })
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
