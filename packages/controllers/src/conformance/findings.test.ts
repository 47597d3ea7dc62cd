import { expect, test } from 'vitest'
import { Findings } from './findings.ts'
import { FrameQueue } from './frame-queue.ts'

test('control characters of a peer are shown as codes', () => {
  const printed: (string | null)[] = []
  const findings = new Findings(({ fault }) => printed.push(fault))
  findings.report({ section: 'Connection', what: 'says hello', fault: 'It named \u001B[2J\u202Eunit\n\u{E0001}é.' })
  expect(printed).toEqual([String.raw`It named \u{1b}[2J\u{202e}unit\u{a}\u{e0001}é.`])
  expect(findings.list.map(({ fault }) => fault)).toEqual(printed)
})

test('of many invalid frames, the first 3 faults are reported', () => {
  const findings = new Findings()
  for (let number = 1; number <= 5; number++) findings.addInvalid(`Fault ${number}`)
  findings.reportSchema()
  expect(findings.list[0]?.fault).toBe('Fault 1 | Fault 2 | Fault 3')
})

test('a queue keeps the newest 1,000 frames', async () => {
  const queue = new FrameQueue<{ type: 'ack'; number: number }>()
  for (let number = 0; number < 1_005; number++) queue.add({ type: 'ack', number })
  expect(await queue.next('ack', 0)).toMatchObject({ number: 5 })
})
