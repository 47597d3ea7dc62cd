import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { readCredentials } from '../apps/server/src/database/embedded/cluster-home.ts'
import { isPostgres, readPostmasterLock } from '../apps/server/src/database/embedded/postmaster-lock.ts'
import { serverDatabaseUrl } from '../apps/server/src/database/embedded/start-embedded.ts'
import { loginsFrom } from '../apps/server/src/database/logins.ts'
import { readSecretKey } from '../apps/server/src/secret-key.ts'
import { signedInClient } from '../packages/client/src/signed-in-client.ts'
import { credentials } from '../packages/contract/src/collections/credentials.ts'
import { doors } from '../packages/contract/src/collections/doors.ts'
import { rules } from '../packages/contract/src/collections/rules.ts'
import { sites } from '../packages/contract/src/collections/sites.ts'
import { units } from '../packages/contract/src/collections/units.ts'
import { users } from '../packages/contract/src/collections/users.ts'
import { controlClientIn } from '../packages/controllers/src/control-client.ts'
import { testEnvironment } from './test-environment.ts'

const root = join(import.meta.dirname, '..')
const administrator = { email: 'admin@portcullis.example', password: 'a gate that survives everything' }
/** The number of a card that opens every door of the test. */
export const validNumber = '4711'

/** A server with its own database and virtual units, each a process that can be killed and restarted at any time. */
export async function killTestWorld() {
  const dataDir = await mkdtemp(join(tmpdir(), 'portcullis-kill-test-'))
  const unitsDir = join(dataDir, 'units')
  const journal = join(dataDir, 'journal')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let server: ChildProcess | undefined
  let controllers: ChildProcess | undefined
  process.once('exit', () => {
    for (const child of [server, controllers]) child?.kill('SIGKILL')
  })

  return {
    dataDir,
    journal,
    startServer,
    startControllers,
    furnish,
    unsettledCounter,
    control: () => controlClientIn(unitsDir),
    logins,
    killServer: () => killed(server),
    killControllers: () => killed(controllers),
    killDatabase,
    async stop() {
      await ended(controllers)
      await ended(server)
    },
    async remove() {
      const clusterDir = await clusterDirectory()
      await rm(join(clusterDir, '..'), { recursive: true, force: true })
      await rm(dataDir, { recursive: true, force: true })
    },
  }

  async function startServer() {
    server = run('apps/server/src/main.ts', [], {
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      DEMO: 'off',
      LOG_LEVEL: 'error',
      ADMIN_EMAIL: administrator.email,
      ADMIN_PASSWORD: administrator.password,
    })
    await waitForOutput(server, /Portcullis is ready/)
  }

  async function startControllers() {
    const settings = ['--server', url, '--data', unitsDir, '--journal', journal]
    controllers = run('packages/controllers/src/virtual-units-process.ts', settings, {})
    await waitForOutput(controllers, /Open their page/)
  }

  /** One site with this number of enrolled units, each with one door, and one card that opens all of them. */
  async function furnish(count: number) {
    const { client } = await signedInClient({ baseUrl: url, ...administrator })
    const control = await controlClientIn(unitsDir)
    const site = await client.of(sites).create({ name: 'Harbour', timeZone: 'Africa/Johannesburg' })
    const person = await client.of(users).create({ name: 'Nomsa Dlamini' })
    await client.of(credentials).create({ kind: 'card', number: validNumber, user: person._id })
    await client.of(rules).create({
      name: 'Everywhere',
      effect: 'allow',
      who: [{ kind: 'User', id: person._id }],
      where: [{ kind: 'Site', id: site._id }],
    })
    const serials = Array.from({ length: count }, (_, index) => `K-${index + 1}`)
    for (const serial of serials) {
      const unit = await client.of(units).create({ name: `Gate ${serial}`, serial, site: site._id })
      await client.of(doors).create({ name: `Gate ${serial}`, site: site._id, unit: unit._id, unitDoor: 1 })
      const { code } = await client.enrolUnit(unit._id)
      await control.add({ serial, code })
    }
    return serials
  }

  /**
   * Counts the controllers that are not connected, or do not apply their desired configuration, as the console shows
   * them. It signs in once: each sign-in costs the server much work.
   */
  function unsettledCounter() {
    let session: ReturnType<typeof signedInClient> | undefined
    return async () => {
      session ??= signedInClient({ baseUrl: url, ...administrator })
      const { client } = await session
      let [count, after]: [number, string | null | undefined] = [0, undefined]
      while (after !== null) {
        const page = await client.of(units).list({ size: 500, ...(after === undefined ? {} : { after }) })
        count += page.items.filter(
          (unit) => unit.status !== 'online' || unit.appliedVersion !== unit.desiredVersion,
        ).length
        after = page.next
      }
      return count
    }
  }

  async function killDatabase() {
    const lock = await readPostmasterLock(await clusterDirectory())
    if (lock && (await isPostgres(lock.pid))) process.kill(lock.pid, 'SIGKILL')
  }

  async function logins() {
    const credentials = await readCredentials(join(dataDir, 'postgres'))
    const lock = await readPostmasterLock(await clusterDirectory())
    const databaseUrl = serverDatabaseUrl(lock?.port ?? 0, credentials?.serverPassword ?? '')
    return loginsFrom({ databaseUrl, secretKey: await readSecretKey(join(dataDir, 'secret.key')) })
  }

  async function clusterDirectory() {
    const credentials = await readCredentials(join(dataDir, 'postgres'))
    if (!credentials) throw new Error(`There is no database in ${dataDir}: the server did not start.`)
    return credentials.clusterDir
  }
}

export type KillTestWorld = Awaited<ReturnType<typeof killTestWorld>>

function run(program: string, settings: string[], environment: Record<string, string>) {
  return spawn(process.execPath, [join(root, program), ...settings], {
    env: { ...testEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Of the output, to explain a failed start. */
const mostLines = 30

async function waitForOutput(child: ChildProcess, pattern: RegExp) {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const lines: string[] = []
  for (const input of [child.stdout, child.stderr]) {
    if (!input) continue
    createInterface(input).on('line', (line) => {
      if (lines.push(line) > mostLines) lines.shift()
      if (pattern.test(line)) resolve()
    })
  }
  // After the last line.
  child.once('close', (code) =>
    reject(new Error(`The server or the controllers ended with ${code} before they were ready:\n${lines.join('\n')}`)),
  )
  await promise
}

async function killed(child: ChildProcess | undefined) {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

async function ended(child: ChildProcess | undefined) {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
}

/** Below the ports that systems assign, so that PostgreSQL cannot get it while the server is down. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000)
    const probe = createServer().listen(port, '127.0.0.1')
    try {
      await once(probe, 'listening')
    } catch {
      continue
    }
    probe.close()
    await once(probe, 'close')
    return port
  }
}
