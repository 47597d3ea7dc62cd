import { expect, test } from 'vitest'
import { CommandGate } from './command-gate.ts'

const serverStart = Date.parse('2026-03-01T09:00:00Z')
const command = (id: string, sentAt: number) =>
  ({
    type: 'command',
    id,
    action: 'unlockOnce',
    door: 1,
    doorId: null,
    timeToLiveMs: 10_000,
    at: new Date(serverStart + sentAt).toISOString(),
    signature: '',
    doorSignature: '',
  }) as const

function gate() {
  const measured = new CommandGate()
  // The unit's monotonic clock was at 500 when the server's stood at its start.
  measured.measure({ sentAt: 490, receivedAt: 510, serverAt: serverStart })
  return measured
}

test('a command runs once, however often it is received', () => {
  const once = gate()
  expect(once.admit(command('a', 0), 600)).toBe('run')
  expect(once.admit(command('a', 0), 700)).toBe('repeated')
  expect(once.admit(command('b', 0), 700)).toBe('run')
})

test('a command that the network delayed beyond its time limit is not run', () => {
  expect(gate().admit(command('a', 1_000), 490 + 10_999)).toBe('run')
  expect(gate().admit(command('a', 1_000), 490 + 11_000)).toBe('expired')
})

test('a command is not late because the answer that measured the clock came late', () => {
  const slow = new CommandGate()
  slow.measure({ sentAt: 500, receivedAt: 60_500, serverAt: serverStart })
  expect(slow.admit(command('a', 1_000), 500 + 10_999)).toBe('run')
  expect(slow.admit(command('b', 1_000), 500 + 11_000)).toBe('expired')
})

test('a slow answer changes nothing that it confirms, and everything that it contradicts', () => {
  const measured = gate()
  measured.measure({ sentAt: 20_490, receivedAt: 28_490, serverAt: serverStart + 24_000 })
  expect(measured.serverAhead).toBe(serverStart - 500)
  expect(measured.admit(command('a', 30_000), 30_490 + 9_000)).toBe('run')
  // The server's clock was put forward by a minute.
  measured.measure({ sentAt: 40_500, receivedAt: 48_500, serverAt: serverStart + 104_000 })
  expect(measured.serverAhead).toBe(serverStart + 60_000 - 500)
  expect(measured.admit(command('b', 90_000), 40_490)).toBe('expired')
})

test('a unit that has not measured the server’s clock runs no command, and can run it later', () => {
  const unmeasured = new CommandGate()
  expect(unmeasured.admit(command('a', 0), 0)).toBe('clock_unknown')
  unmeasured.measure({ sentAt: 490, receivedAt: 510, serverAt: serverStart })
  expect(unmeasured.admit(command('a', 0), 600)).toBe('run')
})

test('only the newest commands are remembered', () => {
  const busy = gate()
  for (let at = 0; at <= 1_000; at++) busy.admit(command(`${at}`, 0), 600)
  expect(busy.admit(command('1', 0), 600)).toBe('repeated')
  expect(busy.admit(command('0', 0), 600)).toBe('run')
})
