import { isSigned, signText } from '@portcullis/controllers/keys'
import { expect, test } from 'vitest'
import { signingKeyFrom } from './signing-key.ts'

test('servers with one secret sign alike, and others do not', () => {
  const [one, same, other] = ['secret', 'secret', 'other'].map((secret) => signingKeyFrom(Buffer.from(secret)))
  expect(one).toEqual(same)
  const signature = signText(one?.privateKey ?? '', 'text')
  expect(isSigned({ publicKey: same?.publicKey ?? '', text: 'text', signature })).toBe(true)
  expect(isSigned({ publicKey: other?.publicKey ?? '', text: 'text', signature })).toBe(false)
})
