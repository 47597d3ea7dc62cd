import { expect, test } from 'vitest'
import { presentRequest } from './present-request.ts'

const request = (line: string) => presentRequest(line.split(' ').filter((word) => word !== ''))

test.each([
  ['', { action: 'list', data: undefined }],
  ['--data units', { action: 'list', data: 'units' }],
  ['--help --door x', { action: 'help' }],
  ['--unit PV-1 --door 2 --number 7', { action: 'present', unit: 'PV-1', door: 2, number: '7', direction: 'entry' }],
  ['--unit PV-1 --door 1 --number 7 --pin 1234 --direction exit', { number: '7', pin: '1234', direction: 'exit' }],
  ['--unit PV-1 --door 1 --pin 1234', { action: 'present', pin: '1234' }],
  ['--unit PV-1 --tampered yes', { action: 'inputs', unit: 'PV-1', inputs: { tampered: true } }],
  ['--unit PV-1 --tampered no --on-battery yes', { inputs: { tampered: false, onBattery: true } }],
])('"%s" is a request', (line, expected) => {
  expect(request(line)).toMatchObject(expected)
})

test.each([
  ['--door 1 --number 7', '--unit is missing: add the serial number'],
  ['--tampered yes', '--unit is missing: add the serial number'],
  ['--unit PV-1', '--door is missing: add the door number'],
  ['--unit PV-1 --number 7', '--door is missing: add the door number'],
  ['--unit PV-1 --door 1', 'A credential is missing: add --number'],
  ['--unit PV-1 --door 1 --number 7 --tampered yes', 'Use either --tampered and --on-battery'],
  ['--unit PV-1 --on-battery no --direction exit', 'Use either --tampered and --on-battery'],
  [
    '--unit PV-1 --door front --number 7',
    '--door cannot be "front": use the door number on the controller, such as 1.',
  ],
  ['--unit PV-1 --door 1 --number 7 --direction up', '--direction cannot be "up": use entry or exit.'],
  ['--unit PV-1 --tampered perhaps', '--tampered cannot be "perhaps": use yes or no.'],
])('"%s" is refused with what to change', (line, sentence) => {
  expect(() => request(line)).toThrow(sentence)
})
