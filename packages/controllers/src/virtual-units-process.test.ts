import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { controlClient, controlClientIn } from './control-client.ts'
import { controlFile, controlFileName } from './control-protocol.ts'
import { type ScriptedServer, scriptedServer } from './scripted-server.ts'

const program = fileURLToPath(new URL('virtual-units-process.ts', import.meta.url))

let dir: string
let server: ScriptedServer
let child: ChildProcess | undefined
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'virtual-units-'))
  server = await scriptedServer()
})
afterEach(async () => {
  await end('SIGKILL')
  await server.close()
  await rm(dir, { recursive: true })
})

async function start(...more: string[]) {
  const address = server.url.replace('ws:', 'http:')
  child = spawn(process.execPath, [program, '--server', address, '--data', dir, ...more], { stdio: 'pipe' })
  if (child.stdout) await once(child.stdout, 'data')
  return controlClientIn(dir)
}

/** A start that fails. */
function run(...settings: string[]) {
  const started = spawn(process.execPath, [program, ...settings], { stdio: 'pipe' })
  child = started
  const ended = once(started, 'close').then(() => started.exitCode)
  return { stdout: textOf(started.stdout), stderr: textOf(started.stderr), ended }
}

/** A start with one unit to enrol. */
async function startFleet() {
  const fleet = join(dir, 'fleet.json')
  await writeFile(fleet, JSON.stringify([{ serial: 'PC-1', code: 'code' }]))
  const control = await start('--fleet', fleet)
  const stderr = child?.stderr ? textOf(child.stderr) : () => undefined
  return { control, stderr }
}

function textOf(stream: Readable) {
  let text = ''
  stream.on('data', (data) => (text += String(data)))
  return () => text
}

async function end(signal: NodeJS.Signals) {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const close = once(child, 'close')
  child.kill(signal)
  await close
}

test('units are introduced, presented cards and found again after a kill', async () => {
  const journal = join(dir, 'journal')
  const control = await start('--journal', journal)
  await control.add({ serial: 'PC:1', model: 'V2', code: 'code' })
  expect(await control.present('PC:1', { door: 1, number: '4711' })).toEqual({
    verdict: 'deny',
    reason: 'door_unknown',
  })
  await expect.poll(async () => (await control.get('PC:1')).running?.pendingEvents).toBe(0)
  await end('SIGKILL')

  const again = await start()
  expect(await again.list()).toMatchObject([{ serial: 'PC:1', running: { name: 'Front', model: 'V2' } }])
  const lines = (await readFile(journal, 'utf8')).trimEnd().split('\n')
  expect(lines.filter((line) => line.startsWith('durable PC:1 '))).toHaveLength(2)
  expect(lines.at(-1)).toMatch(/^acknowledged PC:1 [0-9a-f-]{36} 2$/)
  await end('SIGTERM')
  expect(existsSync(join(dir, controlFileName))).toBe(false)
})

test('the control refuses invalid requests with a sentence', async () => {
  const control = await start()
  await expect(control.present('PC-9', { door: 1, number: '1' })).rejects.toThrow(
    'No virtual controller has the serial number PC-9.',
  )
  await expect(control.add({ serial: '..', code: 'x' })).rejects.toThrow('A serial number has only letters')
  server.answerWith(() => server.send({ type: 'refused', code: 'bad_code', message: 'Ask for a new code.' }))
  await expect(control.add({ serial: 'PC-9', code: 'x' })).rejects.toThrow('Refused, bad_code: Ask for a new code.')
  await control.stop('PC-9')
  await expect(control.present('PC-9', { door: 1, number: '1' })).rejects.toThrow('Unit PC-9 is switched off.')
  const { url } = controlFile.parse(JSON.parse(await readFile(join(dir, controlFileName), 'utf8')))
  await expect(controlClient({ url, token: 'guessed' }).list()).rejects.toThrow('The token is missing or wrong')
})

test('a server on another machine without TLS is refused with the remedy', async () => {
  const { stderr, ended } = run('--server', 'http://doors.example.com', '--data', dir)
  expect(await ended).toBe(1)
  expect(stderr()).toContain('--allow-unencrypted')
})

const [file, folder] = ['fleet.json', 'units']
const entry = { serial: 'PC-1', code: 'code' }

test.each([
  [
    'a fleet file that is missing',
    { fleet: 'absent.json' },
    'absent.json cannot be read: there is no such file or folder.',
  ],
  ['a fleet that is no JSON', { content: '[' }, 'fleet.json is not valid JSON: '],
  [
    'a fleet that is no list',
    { content: '{}' },
    'fleet.json: The file must contain a list, such as [{"serial": "LAB-1", ',
  ],
  [
    'a fleet with a wrong field',
    { content: JSON.stringify([entry, { ...entry, serial: 'PC 2' }]) },
    'fleet.json, entry 2 (serial): A serial number has only letters, digits and . : - _',
  ],
])(
  'a start with %s ends with one sentence and code 1, before a unit is switched on',
  async (_name, given, sentence) => {
    const { content, fleet = file } = { content: undefined, fleet: undefined, ...given }
    if (content !== undefined) await writeFile(join(dir, file), content)
    const data = join(dir, folder)
    const { stderr, ended } = run('--server', 'http://127.0.0.1:9', '--data', data, '--fleet', join(dir, fleet))
    expect(await ended).toBe(1)
    expect(stderr()).toContain(sentence)
    expect(stderr()).toMatch(/^--fleet: .*\n$/)
    expect(existsSync(data)).toBe(false)
  },
)

test('a control port that is in use, and a damaged unit, end the process that has units', async () => {
  const control = await start()
  await control.add({ serial: 'PC-1', code: 'code' })
  await end('SIGTERM')
  const { port } = new URL(server.url)
  const settings = ['--server', server.url.replace('ws:', 'http:'), '--data', dir]
  const inUse = run(...settings, '--control', port)
  expect(await inUse.ended).toBe(1)
  expect(inUse.stderr()).toBe(
    `--control: port ${port} is in use. Choose another one, or leave --control out for any free one.\n`,
  )
  await writeFile(join(dir, 'PC-1', 'identity.json'), '{')
  const damaged = run(...settings)
  expect(await damaged.ended).toBe(1)
  expect(damaged.stderr()).toMatch(/^The file .*identity\.json is damaged\. Restore it, or .*\n$/)
})

test.each([
  [['--help'], 0, ''],
  [[], 2, '--server must be the address of the server, such as http://localhost:3000.'],
  [['--server', 'http://127.0.0.1:9', '--data'], 2, '--data needs a value.'],
  [['--foo'], 2, "Unknown option '--foo'."],
])('the options %j give the usage and the exit code %i', async (given, exitCode, sentence) => {
  const { stdout, stderr, ended } = run(...given)
  expect(await ended).toBe(exitCode)
  expect(stderr().split('\n')[0]).toBe(sentence)
  expect(stdout() + stderr()).toContain('npm run virtual-controllers -- --server URL --data DIR')
})

test('a second process on the same folder is refused with the number of the first, which goes on', async () => {
  const control = await start()
  const first = child
  const settings = ['--server', server.url.replace('ws:', 'http:'), '--data', dir]
  const second = run(...settings)
  child = first
  expect(await second.ended).toBe(1)
  expect(second.stderr()).toBe(
    `--data: the process ${first?.pid} already uses the folder ${dir}. End that process, or choose another folder.\n`,
  )
  await control.add({ serial: 'PC-1', code: 'code' })
  await end('SIGKILL')
  expect(await (await start()).list()).toMatchObject([{ serial: 'PC-1' }])
})

test('a process removes the control file only if it is its own', async () => {
  await start()
  const path = join(dir, controlFileName)
  const other = JSON.stringify({ ...controlFile.parse(JSON.parse(await readFile(path, 'utf8'))), token: 'of another' })
  await writeFile(path, other)
  await end('SIGTERM')
  expect(await readFile(path, 'utf8')).toBe(other)
})

test('a wrong code in the fleet is reported once', async () => {
  server.answerWith(() => server.send({ type: 'refused', code: 'bad_code', message: 'Ask for a new code.' }))
  const { stderr, control } = await startFleet()
  await expect.poll(async () => (await control.get('PC-1')).running?.offlineReason).toContain('bad_code')
  await end('SIGTERM')
  expect(stderr()).toBe('PC-1: Not connected. Refused, bad_code: Ask for a new code.\n')
})

test('the end during an enrolment is no failure', async () => {
  const enrolment = Promise.withResolvers<void>()
  server.answerWith(() => enrolment.resolve())
  const { stderr } = await startFleet()
  await enrolment.promise
  await end('SIGTERM')
  expect(stderr()).toBe('')
})

test('the process ends with its parent', async () => {
  await start('--with-parent')
  const exit = child && once(child, 'exit')
  child?.stdin?.end()
  expect(await exit).toEqual([0, null])
})
