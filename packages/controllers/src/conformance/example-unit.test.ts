import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { conformUnit } from './conform-unit.ts'
import { Findings } from './findings.ts'
import { withCard } from './signing-server.ts'
import { code, smallServer } from './small-server.ts'
import { listenForUnit } from './unit-session.ts'
import { UnitUnderTest } from './unit-under-test.ts'

const example = join(import.meta.dirname, '../../../../examples/unit.py')
const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0

async function folder() {
  const dir = await mkdtemp(join(tmpdir(), 'example-unit-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  return dir
}

/** Runs the example until it ends, or until its output fits. */
async function run(given: readonly string[], { input = '', until = /^$/ }: { input?: string; until?: RegExp } = {}) {
  const unit = spawn('python3', ['-B', example, ...given, '--data', await folder()])
  onTestFinished(() => void unit.kill('SIGKILL'))
  let out = ''
  const note = (data: Buffer) => {
    out += data.toString()
    if (until.test(out)) unit.kill('SIGKILL')
  }
  unit.stdout.on('data', note)
  unit.stderr.on('data', note)
  unit.stdin.write(input)
  await once(unit, 'close')
  return { exitCode: unit.exitCode, out }
}

test.skipIf(!hasPython)('the example in Python explains wrong input and continues', async () => {
  const { url, close } = await smallServer()
  onTestFinished(close)
  const input = 'card x 1 entry\ncard 1 4711 sideways\ncard 1 4711 entry\n'
  const { out } = await run(['--url', url, '--code', code, '--serial', 'PC-1'], { input, until: /door 1: / })
  expect(out.match(/Type: card DOOR NUMBER entry\|exit/g)).toHaveLength(2)
  expect(out).not.toContain('Traceback')
})

test.skipIf(!hasPython)(
  'the example in Python ends with a refused code, and for an address that is no WebSocket',
  async () => {
    const { url, close } = await smallServer()
    onTestFinished(close)
    const refused = await run(['--url', url, '--code', 'AAAA-BBBB-CCCC'])
    expect(refused.exitCode).toBe(1)
    expect(refused.out).toContain('refused, bad_code')
    const wrong = await run(['--url', 'http://127.0.0.1:1/units'])
    expect(wrong.exitCode).toBe(2)
    expect(wrong.out).toContain('--url must begin with ws:// or wss://')
  },
)

// A machine without Python has only the other implementation to test.
test.skipIf(!hasPython)('the example in Python conforms', async () => {
  const dir = await folder()
  let present = () => {}
  const findings = await conformUnit({
    operator: { onCard: () => present() },
    onReady: ({ url, code }) => {
      const unit = spawn('python3', ['-B', example, '--url', url, '--code', code, '--data', dir], {
        stdio: ['pipe', 'ignore', 'ignore'],
      })
      onTestFinished(() => void unit.kill('SIGKILL'))
      present = () => void unit.stdin.write('card 1 4711 entry\n')
    },
  })
  expect(findings.filter(({ fault }) => fault !== null)).toEqual([])
  expect(findings.length).toBeGreaterThan(21)
  // It has no deltas, shared interlocks, approvals, passages and schedules, and its log has no limit.
  const skipped = findings.filter((finding) => finding.skipped !== undefined)
  expect([...new Set(skipped.map(({ section }) => section))]).toEqual([
    'Configuration',
    'Interlocks with other units',
    'Events',
    'Approval',
    'Passages at other units',
    'Unlock schedules',
  ])
})

/** The example, enrolled at a server of the kit; its output appears in `out`. */
async function enrolledExample() {
  const listener = await listenForUnit({ onInvalid: () => {}, onEvents: () => {} })
  onTestFinished(() => listener.close())
  const given = ['--url', listener.url, '--code', code, '--data', await folder()]
  const process = spawn('python3', ['-B', example, ...given])
  onTestFinished(() => void process.kill('SIGKILL'))
  const out: string[] = []
  for (const stream of [process.stdout, process.stderr]) stream.on('data', (data: Buffer) => out.push(data.toString()))
  const unit = new UnitUnderTest({ listener, findings: new Findings(), code, patienceMs: 20_000, quietMs: 0 })
  const session = await listener.next(20_000)
  if (!session) throw new Error('The example did not connect.')
  expect([await unit.expectEnrolment(session), await unit.expectHello(session)]).toEqual([null, null])
  return { unit, session, listener, process, text: () => out.join('') }
}

test.skipIf(!hasPython)('the example in Python denies access at a door that its configuration blocks', async () => {
  const { unit, session, process, text } = await enrolledExample()
  const modes = { lockdown: 'door_locked_down', blocked: 'door_blocked', normal: 'granted' } as const
  for (const mode of ['lockdown', 'blocked', 'normal'] as const) {
    const version = unit.version + 1
    const configuration = unit.server.configuration({ version, content: withCard('4711', { mode }) })
    expect(await unit.expectApplied(session, { version, hash: unit.send(session, configuration) })).toBeNull()
    process.stdin.write('card 1 4711 entry\n')
    await vi.waitFor(() => expect(text()).toContain(`door 1: ${modes[mode]}`), { timeout: 60_000 })
    if (mode !== 'normal') expect(text()).not.toContain('unlocked')
  }
})

test.skipIf(!hasPython)(
  'the example in Python tries again when its server refuses it after the enrolment',
  async () => {
    const { unit, session, listener, process, text } = await enrolledExample()
    session.cut()
    for (const refusal of ['bad_code', 'unknown_unit'] as const) {
      const refused = await listener.next(20_000)
      expect(await refused?.next('hello', 20_000)).toMatchObject({ type: 'hello' })
      refused?.send({ type: 'refused', code: refusal, message: 'Not now.' })
      await vi.waitFor(() => expect(text()).toContain(`refused, ${refusal}: Not now.`), { timeout: 60_000 })
      refused?.cut()
    }
    const admitted = await listener.next(20_000)
    expect(admitted && (await unit.expectHello(admitted))).toBeNull()
    expect(await admitted?.next('heartbeat', 20_000)).toMatchObject({ type: 'heartbeat' })
    expect(process.exitCode).toBeNull()
  },
)
