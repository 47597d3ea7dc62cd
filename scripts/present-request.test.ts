import { expect, test } from 'vitest'
import { presentRequest, usage } from './present-request.ts'

const request = (line: string) => presentRequest(line.split(' ').filter((word) => word !== ''))

test.each([
  ['', { action: 'list', data: undefined }],
  ['--data units', { action: 'list', data: 'units' }],
  ['--unit PV-1 --door 2 --number 7', { action: 'present', unit: 'PV-1', door: 2, number: '7', direction: 'entry' }],
  ['--unit PV-1 --door 1 --number 7 --pin 1234 --direction exit', { number: '7', pin: '1234', direction: 'exit' }],
  ['--unit PV-1 --door 1 --pin 1234', { action: 'present', pin: '1234' }],
  ['--unit PV-1 --tampered yes', { action: 'inputs', unit: 'PV-1', inputs: { tampered: true } }],
  ['--unit PV-1 --tampered no --on-battery yes', { inputs: { tampered: false, onBattery: true } }],
])('"%s" is a request', (line, expected) => {
  expect(request(line)).toMatchObject({ values: expected })
})

test.each([
  ['--door 1 --number 7', '--unit is missing: add the serial number'],
  ['--tampered yes', '--unit is missing: add the serial number'],
  ['--unit PV-1', '--door is missing: add the door number'],
  ['--unit PV-1 --number 7', '--door is missing: add the door number'],
  ['--unit PV-1 --door 1', 'A credential is missing: add --number'],
  ['--unit PV-1 --door 1 --number 7 --tampered yes', 'Use either --tampered and --on-battery'],
  ['--unit PV-1 --on-battery no --direction exit', 'Use either --tampered and --on-battery'],
  ['--unit PV-1 --door front --number 7', '--door must be a whole number from 1.'],
  ['--unit PV-1 --door 1 --number 7 --direction up', '--direction must be entry or exit.'],
  ['--unit PV-1 --tampered perhaps', '--tampered must be yes or no.'],
  ['--unit', '--unit needs a value.'],
  ['--foo', "Unknown option '--foo'."],
])('"%s" is refused with what to change', (line, sentence) => {
  const answer = request(line)
  if ('values' in answer) throw new Error('The options are accepted.')
  expect(answer.text.startsWith(sentence)).toBe(true)
  expect(answer.text.endsWith(`\n\n${usage}`)).toBe(true)
  expect(answer.exitCode).toBe(2)
})
