import { expect, test } from 'vitest'
import { readFrame } from './read-frame.ts'

const read = (text: string, isProven = true) => readFrame(Buffer.from(text), { isBinary: false, isProven })

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
  expect(() => readFrame(Buffer.from('{}'), { isBinary: true, isProven: true })).toThrow('Frames are text, not binary.')
})

test('a client that has not proved its identity sends a first frame of at most 16 kB', () => {
  const at = '2026-11-25T00:00:00Z'
  const heartbeat = (padding: number) => {
    const frame = { type: 'heartbeat', at, pendingEvents: 0, applied: null, padding: 'x'.repeat(padding) }
    return JSON.stringify(frame)
  }
  expect(read(heartbeat(16_000), false)).toMatchObject({ type: 'heartbeat' })
  expect(() => read(heartbeat(17_000), false)).toThrow('The first frame has at most 16384 bytes.')
  expect(read(heartbeat(17_000))).toMatchObject({ type: 'heartbeat' })
})
