import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { openSync, writeSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { checkAddress, gatewayAddress } from './check-address.ts'
import { controlFileName, controlInputs, pageUrl } from './control-protocol.ts'
import { controlServer } from './control-server.ts'
import type { JournalEntry } from './virtual-unit.ts'
import { VirtualUnits } from './virtual-units.ts'
import { writeDurably } from './write-durably.ts'

const usage = `npm run virtual-controllers -- --server URL --data DIR [--control PORT] [--fleet FILE] [--journal FILE] [--allow-unencrypted] [--with-parent]
  --server       address of the Portcullis server, such as http://localhost:3000
  --data         folder of the units; control.json in it says where the control listens and its token
  --control      port of the control and its page on the loopback (absent or 0: any free one)
  --fleet        JSON list of {serial, model, code}: units to introduce when they are not there yet
  --journal      file that gets a line for every durable and every acknowledged record
  --allow-unencrypted  also connects to a server on another machine without TLS
  --with-parent  ends when its standard input does`

await main().catch((error: unknown) => {
  print(process.stderr, error instanceof Error ? error.message : String(error))
  process.exitCode = 1
})

async function main() {
  const options = readArguments()
  const url = gatewayAddress(options.server)
  const allowUnencrypted = options['allow-unencrypted']
  // Units check the address, but a folder may have no units.
  checkAddress(url, { allowUnencrypted })
  const dir = resolve(options.data)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const units = await VirtualUnits.open({
    dir,
    url,
    allowUnencrypted,
    journal: options.journal === undefined ? undefined : journalIn(options.journal),
    report: (serial, sentence) => print(process.stderr, `${serial}: ${sentence}`),
  })
  const token = randomBytes(24).toString('base64url')
  const server = controlServer({ units, token })
  server.listen(options.control, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const control = { url: `http://127.0.0.1:${port}`, token, pid: process.pid }
  await writeDurably(join(dir, controlFileName), JSON.stringify(control))
  print(
    process.stdout,
    `Virtual controllers: ${units.list().length}; control at ${control.url}, page ${pageUrl(control)}`,
  )

  let isEnding = false
  const end = async () => {
    if (isEnding) return
    isEnding = true
    server.close()
    server.closeAllConnections()
    await units.stop()
    await rm(join(dir, controlFileName), { force: true })
    process.exit()
  }
  process.once('SIGTERM', () => void end())
  process.once('SIGINT', () => void end())
  if (options['with-parent']) process.stdin.resume().once('close', () => void end())

  if (options.fleet !== undefined) await introduce(units, options.fleet)
}

async function introduce(units: VirtualUnits, fleetFile: string) {
  const fleet = z.array(controlInputs.add).parse(JSON.parse(await readFile(fleetFile, 'utf8')))
  const newcomers = fleet.filter(({ serial }) => !units.find(serial)?.state().running?.unit)
  for (const unit of newcomers) {
    try {
      await units.add(unit)
      print(process.stdout, `${unit.serial}: connected`)
    } catch (error) {
      print(process.stderr, `${unit.serial}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

function print(stream: NodeJS.WriteStream, sentence: string) {
  stream.write(`${sentence}\n`)
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      server: { type: 'string' },
      data: { type: 'string' },
      control: { type: 'string' },
      fleet: { type: 'string' },
      journal: { type: 'string' },
      'allow-unencrypted': { type: 'boolean' },
      'with-parent': { type: 'boolean' },
    },
  })
  const schema = z.object({
    server: z.url({ protocol: /^https?$/, error: 'must be the address of the server' }),
    data: z.string('must be a folder'),
    control: z.coerce.number().int().min(0).max(65_535).default(0),
    fleet: z.string().optional(),
    journal: z.string().optional(),
    'allow-unencrypted': z.boolean().optional(),
    'with-parent': z.boolean().optional(),
  })
  const parsed = schema.safeParse(values)
  if (!parsed.success) throw new Error(`${z.prettifyError(parsed.error)}\n\n${usage}`)
  return parsed.data
}

/** Written at once and in one piece, so that the line outlives the process. */
function journalIn(path: string) {
  const file = openSync(path, 'a')
  return ({ what, serial, logId, seq }: JournalEntry) => {
    writeSync(file, `${what} ${serial} ${logId} ${seq}\n`)
  }
}
