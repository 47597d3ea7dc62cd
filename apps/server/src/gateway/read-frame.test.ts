import { expect, test } from 'vitest'
import { readFrame } from './read-frame.ts'

const read = (text: string) => readFrame(Buffer.from(text), false)

test('a heartbeat is read', () => {
  const frame = { type: 'heartbeat', at: '2026-11-24T02:00:00Z', pendingEvents: 0, applied: null }
  expect(read(JSON.stringify(frame))).toEqual(frame)
})

test.each([
  ['{', 'It is not JSON.'],
  ['[]', 'At the frame: '],
  ['{"type":"hallo"}', 'At type: '],
  ['['.repeat(100_000), 'It is not JSON.'],
  ['{"type":"heartbeat","at":"2026-11-24T02:00:00Z","pendingEvents":2147483648,"applied":null}', 'At pendingEvents: '],
])('§3 %.70s is refused, with the place of the fault', (text, fault) => {
  expect(() => read(text)).toThrow(fault)
})

test('§3 a binary frame is refused', () => {
  expect(() => readFrame(Buffer.from('{}'), true)).toThrow('Frames are text, not binary.')
})
