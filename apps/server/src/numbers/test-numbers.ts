import { inject } from 'vitest'
import { credentialNumbersFrom } from './credential-numbers.ts'

/** With the key of the test servers. */
export function testNumbers() {
  return credentialNumbersFrom(Buffer.from(inject('testSecretKey'), 'hex'))
}
