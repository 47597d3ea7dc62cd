import { createPrivateKey, createPublicKey } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serverFrame, unitFrame } from '../packages/contract/src/unit-protocol/frames.ts'
import { enrolText } from '../packages/contract/src/unit-protocol/signed-texts.ts'
import { signText } from '../packages/controllers/src/keys.ts'
import { limitsOfProtocol, unitProtocolSchema } from './unit-protocol-schema.ts'

const textOf = (name: string) => readFile(join(import.meta.dirname, '../docs', name), 'utf8')
const guide = await textOf('unit-protocol.md')

test('docs/unit-protocol.schema.json is what npm run unit-protocol writes', async () => {
  expect(await textOf('unit-protocol.schema.json')).toBe(unitProtocolSchema())
})

test('the guide states the limits of the code', () => {
  expect(guide).toContain(`<!-- limits -->\n${limitsOfProtocol()}\n<!-- end of limits -->`)
})

test('the guide names every frame', () => {
  const types = [...unitFrame.options, ...serverFrame.options].flatMap(({ shape }) => [...shape.type.values])
  expect(types.filter((type) => !guide.includes(type))).toEqual([])
})

test('the example of a signature in the guide is right', () => {
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 7)])
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
  expect(guide).toContain(createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64'))
  const text = enrolText({ nonce: 'YSBub25jZSBvZiB0aGUgc2VydmVy', code: '7K2M-9QXD', serial: 'PC-1' })
  expect(guide).toContain(`\n${text}\n`)
  expect(guide).toContain(signText(pkcs8.toString('base64'), text))
})
