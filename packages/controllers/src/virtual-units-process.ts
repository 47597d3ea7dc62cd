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

const fleetSchema = z.array(controlInputs.add, 'It must be a list of {serial, model, code}.')

// Also ends units that run already; what they have recorded is on their disks.
await main().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`, () => process.exit(1))
})

async function main() {
  const options = readArguments()
  const url = gatewayAddress(options.server)
  const allowUnencrypted = options['allow-unencrypted']
  // Units check the address, but a folder may have no units.
  checkAddress(url, { allowUnencrypted })
  const dir = resolve(options.data)
  const fleet = options.fleet === undefined ? [] : await readFleet(options.fleet)
  await withContext(`--data: the folder ${dir} cannot be used`, () => mkdir(dir, { recursive: true, mode: 0o700 }))
  const journal = options.journal === undefined ? undefined : await journalIn(options.journal)
  const units = await VirtualUnits.open({
    dir,
    url,
    allowUnencrypted,
    journal,
    report: (serial, sentence) => print(process.stderr, `${serial}: ${sentence}`),
  })
  const token = randomBytes(24).toString('base64url')
  const server = controlServer({ units, token })
  server.listen(options.control, '127.0.0.1')
  await once(server, 'listening').catch((error: unknown) => {
    const why = isErrorWith(error, 'EADDRINUSE') ? 'is in use' : `cannot be used (${messageOf(error)})`
    throw new Error(
      `--control: port ${options.control} ${why}. Choose another one, or leave --control out for any free one.`,
    )
  })
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

  await introduce(units, fleet)
}

type Fleet = z.output<typeof fleetSchema>

async function introduce(units: VirtualUnits, fleet: Fleet) {
  const newcomers = fleet.filter(({ serial }) => !units.find(serial)?.state().running?.unit)
  for (const unit of newcomers) {
    try {
      await units.add(unit)
      print(process.stdout, `${unit.serial}: connected`)
    } catch (error) {
      print(process.stderr, `${unit.serial}: ${messageOf(error)}`)
    }
  }
}

async function readFleet(path: string): Promise<Fleet> {
  const text = await withContext(`--fleet: the file ${path} cannot be read`, () => readFile(path, 'utf8'))
  const list = await withContext(`--fleet: ${path} is not valid JSON`, async (): Promise<unknown> => JSON.parse(text))
  const parsed = fleetSchema.safeParse(list)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const [entry, field] = issue?.path ?? []
  const place =
    typeof entry === 'number' ? `, entry ${entry + 1}${field === undefined ? '' : ` (${String(field)})`}` : ''
  throw new Error(`--fleet: ${path}${place}: ${issue?.message}`)
}

/** The error of a file says which option it belongs to. */
async function withContext<T>(sentence: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw new Error(
      `${sentence}: ${isErrorWith(cause, 'ENOENT') ? 'there is no such file or folder' : messageOf(cause)}.`,
      { cause },
    )
  }
}

function messageOf(error: unknown) {
  return error instanceof Error ? error.message : String(error)
}

function isErrorWith(error: unknown, code: string) {
  return error instanceof Error && 'code' in error && error.code === code
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
    server: z.url({
      protocol: /^https?$/,
      error: 'must be the address of the server, such as http://localhost:3000',
    }),
    data: z.string('must be the folder of the units'),
    control: z
      .stringFormat(
        'port',
        (text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535,
        'must be a port from 0 to 65535',
      )
      .default('0')
      .transform(Number),
    fleet: z.string().optional(),
    journal: z.string().optional(),
    'allow-unencrypted': z.boolean().optional(),
    'with-parent': z.boolean().optional(),
  })
  const parsed = schema.safeParse(values)
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `--${path.join('.')} ${message}`)
    throw new Error(`${faults.join(', and ')}.\n\n${usage}`)
  }
  return parsed.data
}

/** Written at once and in one piece, so that the line outlives the process. */
async function journalIn(path: string) {
  const file = await withContext(`--journal: the file ${path} cannot be written`, async () => openSync(path, 'a'))
  return ({ what, serial, logId, seq }: JournalEntry) => {
    writeSync(file, `${what} ${serial} ${logId} ${seq}\n`)
  }
}
