import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { openSync, writeSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { checkAddress, gatewayAddress } from './check-address.ts'
import { readCommandLine, valuesOrExit, wholeNumber } from './command-line.ts'
import { controlFileIn } from './control-client.ts'
import { controlFileName, controlInputs, pageUrl } from './control-protocol.ts'
import { controlServer } from './control-server.ts'
import { lockFolder } from './folder-lock.ts'
import type { JournalEntry } from './virtual-unit.ts'
import { VirtualUnits } from './virtual-units.ts'
import { writeDurably } from './write-durably.ts'

const usage = `npm run virtual-controllers -- --server URL --data DIR [--control PORT] [--fleet FILE] [--journal FILE] [--allow-unencrypted] [--with-parent]
  --server       address of the Portcullis server, such as http://localhost:3000
  --data         folder of the controllers; control.json in it contains the address and token of the page
  --control      port of the page, on this machine only (default: any free port)
  --fleet        JSON list of {serial, model, code}: controllers to enrol, unless they are enrolled already
  --journal      file that gets a line for every durable and every acknowledged record
  --allow-unencrypted  also connects to a server on another machine without TLS
  --with-parent  ends when its standard input closes

The exit code is 1 if the controllers could not start, 2 for invalid options.`

const fleetSchema = z.array(
  controlInputs.add,
  'The file must contain a list, such as [{"serial": "LAB-1", "model": "Software", "code": "ABCD-EFGH-JKLM"}].',
)

// Also ends units that run already; what they have recorded is on their disks.
await main().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`, () => process.exit(1))
})

async function main() {
  const options = valuesOrExit(readArguments())
  const url = gatewayAddress(options.server)
  const allowUnencrypted = options['allow-unencrypted']
  // Units check the address, but a folder may have no units.
  checkAddress(url, { allowUnencrypted })
  const dir = resolve(options.data)
  const fleet = options.fleet === undefined ? [] : await readFleet(options.fleet)
  const lock = await withContext(`--data: the folder ${dir} cannot be used`, async () => {
    await mkdir(dir, { recursive: true, mode: 0o700 })
    return lockFolder(dir)
  })
  if (!lock) throw new Error(await inUse(dir))
  // That of a process that was killed.
  await rm(join(dir, controlFileName), { force: true })
  const journal = options.journal === undefined ? undefined : await journalIn(options.journal)
  const units = await VirtualUnits.open({
    dir,
    url,
    allowUnencrypted,
    journal,
    report,
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
  print(process.stdout, `Virtual controllers: ${units.list().length}. Open their page: ${pageUrl(control)}`)

  const ending = new AbortController()
  const end = async () => {
    if (ending.signal.aborted) return
    ending.abort()
    server.close()
    server.closeAllConnections()
    await units.stop()
    await removeControlFile(dir, token)
    lock.release()
    process.exit()
  }
  process.once('SIGTERM', () => void end())
  process.once('SIGINT', () => void end())
  if (options['with-parent']) process.stdin.resume().once('close', () => void end())

  await introduce({ units, fleet, ending: ending.signal })
}

/** Who has the folder, as far as it is known: a process writes its number when its controllers are on. */
async function inUse(dir: string) {
  const file = await controlFileIn(dir).catch(() => undefined)
  const user = file ? `the process ${file.pid}` : 'another process'
  return `--data: ${user} already uses the folder ${dir}. End that process, or choose another folder.`
}

/** In a folder that was deleted and made again, the file may be that of another process. */
async function removeControlFile(dir: string, token: string) {
  const file = await controlFileIn(dir).catch(() => undefined)
  if (file?.token === token) await rm(join(dir, controlFileName))
}

type Fleet = z.output<typeof fleetSchema>
type Introduction = { units: VirtualUnits; fleet: Fleet; ending: AbortSignal }

async function introduce({ units, fleet, ending }: Introduction) {
  const newcomers = fleet.filter(({ serial }) => !units.find(serial)?.state().running?.unit)
  for (const unit of newcomers) {
    try {
      await units.add(unit)
      print(process.stdout, `${unit.serial}: connected`)
    } catch (error) {
      if (ending.aborted) return
      // The controller itself has reported a refusal of the server.
      const reported = units.find(unit.serial)?.state().running?.offlineReason
      if (messageOf(error) !== reported) report(unit.serial, messageOf(error))
    }
  }
}

function report(serial: string, sentence: string) {
  print(process.stderr, `${serial}: ${sentence}`)
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
  const schema = z.object({
    server: z.url({
      protocol: /^(https?|wss?)$/,
      error: 'must be the address of the server, such as http://localhost:3000.',
    }),
    data: z.string('must be the folder of the controllers.').min(1, 'must be the folder of the controllers.'),
    control: wholeNumber({ min: 0, max: 65_535 }).default(0),
    fleet: z.string().optional(),
    journal: z.string().optional(),
    'allow-unencrypted': z.boolean().optional(),
    'with-parent': z.boolean().optional(),
  })
  return readCommandLine({ usage, options: schema.shape, schema })
}

/** Written at once and in one piece, so that the line outlives the process. */
async function journalIn(path: string) {
  const file = await withContext(`--journal: the file ${path} cannot be written`, async () => openSync(path, 'a'))
  return ({ what, serial, logId, seq }: JournalEntry) => {
    writeSync(file, `${what} ${serial} ${logId} ${seq}\n`)
  }
}
