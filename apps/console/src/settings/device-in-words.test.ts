import { expect, test } from 'vitest'
import { addressInWords, deviceInWords, kindOfDevice } from './device-in-words.ts'

const like = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)'
const onWindows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [`${like} Chrome/141.0.0.0 Safari/537.36`, 'Chrome on Linux', 'computer'],
  [`${like} Chromium/141.0.0.0 Chrome/141.0.0.0 Safari/537.36`, 'Chromium on Linux', 'computer'],
  [`${like} HeadlessChrome/141.0.0.0 Safari/537.36`, 'Chrome on Linux', 'computer'],
  [`${onWindows} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`, 'Edge on Windows', 'computer'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:144.0) Gecko/20100101 Firefox/144.0',
    'Firefox on macOS',
    'computer',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
    'telephone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
    'telephone',
  ],
  ['curl/8.14.1', 'Program curl', 'program'],
  ['node', 'Program node', 'program'],
])('§4 users/settings: the device %s is called %s', (device, words, kind) => {
  expect(deviceInWords(device)).toBe(words)
  expect(kindOfDevice(device)).toBe(kind)
})

test('§4 users/settings: a device without a user agent is unknown, and an unusual user agent is quoted', () => {
  expect(deviceInWords(null)).toBe('Unknown device')
  expect(deviceInWords('  ')).toBe('Unknown device')
  expect(deviceInWords('Mozilla/5.0 (door)')).toBe('Mozilla/5.0 (door)')
})

test('§4 users/settings: an address of the fourth version is shown as such', () => {
  expect(addressInWords('::ffff:10.0.0.7')).toBe('10.0.0.7')
  expect(addressInWords('2001:db8::7')).toBe('2001:db8::7')
  expect(addressInWords(null)).toBe('unknown address')
})
