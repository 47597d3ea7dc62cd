import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { errorBody } from '@portcullis/contract/errors/error-body'
import { afterAll, expect, inject, onTestFinished, test } from 'vitest'
import { password, startTestServer } from './test-server.ts'
import { openGate } from './test-servers.ts'

const server = await startTestServer()
afterAll(server.stop)

const main = join(import.meta.dirname, 'main.ts')
const keeper = pathToFileURL(join(import.meta.dirname, '../../../scripts/keep-running.mjs')).href

/** Plants a fault in the server when its console reads a line. */
const faults = `data:text/javascript,${encodeURIComponent(`
  process.stdin.setEncoding('utf8').on('data', (line) => {
    if (line === 'reject') void Promise.reject(new Error('a planted rejection'))
    if (line === 'throw') throw new Error('a planted exception')
  })
  console.log('pid', process.pid)
`)}`

/** Starts a server as a process of its own, on the database of the other. */
async function run(settings: Record<string, string> = {}, isKeptRunning = false) {
  const dataDir = await mkdtemp(join(tmpdir(), 'portcullis-run-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const env = {
    HOST: '127.0.0.1',
    PORT: '0',
    DEMO: 'off',
    DATA_DIR: dataDir,
    SECRET_KEY_FILE: join(inject('testFolder'), 'secret.key'),
    DATABASE_URL: server.databaseUrl,
    ...settings,
  }
  const options = {
    command: [process.execPath, '--import', faults, main],
    env,
    restart: { firstMs: 1, maxMs: 1, lastingMs: 0 },
  }
  const keeping = `import { keepRunning } from '${keeper}'; keepRunning(${JSON.stringify(options)})`
  const [program = '', ...given] = isKeptRunning
    ? [process.execPath, '--input-type=module', '--eval', keeping]
    : options.command
  const child = spawn(program, given, { env, stdio: ['pipe', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  onTestFinished(async () => {
    // The process that keeps the server running stops it first.
    if (child.exitCode === null && child.kill(isKeptRunning ? 'SIGTERM' : 'SIGKILL')) await ended
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (printed += data.toString()))
  return {
    plant: (fault: 'reject' | 'throw') => child.stdin.write(fault),
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    printed: () => printed,
    /** All that a pattern finds in the output, once it finds this many. */
    async found(pattern: RegExp, count = 1) {
      const find = () => [...printed.matchAll(pattern)].map(([, text = '']) => text)
      await expect.poll(find).toHaveLength(count)
      return find()
    },
    code: ended,
  }
}

const ready = /Portcullis is ready: (\S+)/g

test('a promise whose rejection no code handles is logged, and the server continues', async () => {
  const { plant, found } = await run()
  const [url = ''] = await found(ready)
  plant('reject')
  await found(/An error was not handled: Error: (a planted rejection)/g)
  expect((await fetch(`${url}/health/live`)).status).toBe(200)
})

test('an exception that no code handles is logged, and the server ends', async () => {
  const { plant, found, code } = await run()
  await found(ready)
  plant('throw')
  expect(await code).toBe(1)
  await found(/The server ends because of an error that was not handled: Error: (a planted exception)/g)
})

test('the log has the id of a failed request, but no password, cookie or authorization header', async () => {
  const { url: databaseUrl, shut } = await openGate(server.databaseUrl)
  const { found, printed } = await run({ LOG_LEVEL: 'trace', DATABASE_URL: databaseUrl })
  const [url = ''] = await found(ready)
  const account = { 'x-js-account': server.account }
  const signIn = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { ...account, 'content-type': 'application/json' },
    body: JSON.stringify({ email: server.email, password }),
  })
  const [, token = ''] = /^portcullis=([\w-]{43})/.exec(signIn.headers.get('set-cookie') ?? '') ?? []
  expect(token).not.toBe('')
  shut()
  const headers = { ...account, cookie: `portcullis=${token}`, authorization: 'Bearer a-secret' }
  const failed = errorBody.parse(await (await fetch(`${url}/api/sites`, { headers })).json())
  expect(failed.error.code).toBe('unavailable')
  await expect.poll(printed).toContain(failed.error.requestId)
  for (const secret of [password, token, 'a-secret']) expect(printed()).not.toContain(secret)
})

test('a server that was killed starts again, until a signal stops it', async () => {
  const { kill, found, code } = await run({}, true)
  await found(ready)
  const [pid = ''] = await found(/pid (\d+)/g)
  process.kill(Number(pid), 'SIGKILL')
  const [, url = ''] = await found(ready, 2)
  expect((await fetch(`${url}/health/live`)).status).toBe(200)
  kill('SIGTERM')
  expect(await code).toBe(0)
})

test.for([
  ['an invalid setting', { LOG_LEVEL: 'loud' }, 78, /LOG_LEVEL cannot be "loud"/g],
  ['a host of another machine', { HOST: '192.0.2.1' }, 1, /HOST: 192\.0\.2\.1 is no address/g],
] as const)('a start that fails because of %s is not repeated', async ([_cause, settings, expected, sentence]) => {
  const { code, printed } = await run(settings, true)
  expect(await code).toBe(expected)
  expect([...printed().matchAll(sentence)]).toHaveLength(1)
})
