import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { controlClient, controlFileIn } from '@portcullis/controllers/control-client'
import { pageUrl } from '@portcullis/controllers/control-protocol'
import { signedInClient } from '@portcullis/client/signed-in-client'
import { administrator } from './administrator.ts'

const root = join(import.meta.dirname, '..')

type ProductOptions = { demonstration: 'on' | 'off'; smtpUrl?: string; databaseUrl?: string }

/** The product as its users run it: the server in its own folder, with its own database unless one is given. */
export async function startProduct({ demonstration, smtpUrl, databaseUrl }: ProductOptions) {
  const dataDir = await mkdtemp(join(tmpdir(), 'portcullis-journey-'))
  const server = run('apps/demonstration/src/main.ts', [], {
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    DEMO: demonstration,
    ADMIN_EMAIL: administrator.email,
    ADMIN_PASSWORD: administrator.password,
    ...(smtpUrl === undefined ? {} : { SMTP_URL: smtpUrl }),
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  })
  const url = await waitForOutput(server, /Portcullis is ready: (\S+)/)
  const { client } = await signedInClient({ baseUrl: url, ...administrator })
  // Keeps the administrator's session active while the journeys run.
  const desk = setInterval(() => void client.activity().catch(() => {}), 60_000)
  return {
    url,
    dataDir,
    client,
    async stop() {
      clearInterval(desk)
      await ended(server, 'SIGTERM')
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Virtual controllers in their own process, connected to the server as real ones are. */
export async function startControllers({ url, dataDir }: { url: string; dataDir: string }) {
  const folder = join(dataDir, 'controllers')
  const child = run('packages/controllers/src/virtual-units-process.ts', ['--server', url, '--data', folder], {})
  await waitForOutput(child, /Open their page: (\S+)/)
  const file = await controlFileIn(folder)
  return { control: controlClient(file), pageUrl: pageUrl(file), pid: file.pid, stop: () => ended(child, 'SIGTERM') }
}

function run(program: string, settings: string[], environment: Record<string, string>) {
  return spawn(process.execPath, [join(root, program), ...settings], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/** Waits until a process prints a line that matches, and returns the first group of the pattern. */
async function waitForOutput(child: ChildProcess, pattern: RegExp) {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  if (child.stdout) {
    createInterface(child.stdout).on('line', (line) => {
      const [, caught] = pattern.exec(line) ?? []
      if (caught !== undefined) resolve(caught)
    })
  }
  child.once('exit', (code) => reject(new Error(`It ended with ${code} before it said ${pattern}.`)))
  return promise
}

async function ended(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const { promise, resolve } = Promise.withResolvers<void>()
  child.once('exit', () => resolve())
  child.kill(signal)
  await promise
}
