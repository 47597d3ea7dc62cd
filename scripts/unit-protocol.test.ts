import { createPrivateKey, createPublicKey } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { serverFrame, unitFrame } from '../packages/contract/src/unit-protocol/frames.ts'
import * as signedTexts from '../packages/contract/src/unit-protocol/signed-texts.ts'
import { signText } from '../packages/controllers/src/keys.ts'
import { unitConfig } from '../packages/contract/src/unit-protocol/unit-config.ts'
import { credentialKey } from '../packages/controllers/src/credential-key.ts'
import { pinNumber } from '../packages/domain/src/decision/presented-credential.ts'
import { scheduleState } from '../packages/domain/src/time/schedule.ts'
import { limitsOfProtocol, unitProtocolSchema } from './unit-protocol-schema.ts'

const textOf = (name: string) => readFile(join(import.meta.dirname, '../docs', name), 'utf8')
const document = z.record(z.string(), z.unknown())
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

/** By the name of its function: the frame as the guide names it, and the text. `isNull`: values that may be null are. */
function textsWith(isNull: boolean): Record<keyof typeof signedTexts, [frame: string, text: string]> {
  const orNull = <T>(value: T) => (isNull ? null : value)
  const connection = { nonce: 'NONCE', unit: 'UNIT' }
  const door = { ...connection, door: 1, doorId: orNull('DOOR ID') }
  const mode = { ...door, version: 3, mode: 'MODE', until: orNull('UNTIL') }
  const request = orNull('REQUEST') ?? undefined
  const command = { ...door, id: 'ID', action: 'ACTION', timeToLiveMs: 9, request, at: 'AT' }
  const config = { unit: 'UNIT', version: 3, base: orNull(2), hash: 'HASH' }
  const direction = orNull('entry' as const)
  const passages = ['1', '2'].map((at) => ({ area: 'AREA', user: 'USER', direction, at }))
  const lists = { block: ['B1', 'B2'], unblock: ['U1', 'U2'] }
  const { enrolText, helloText, configText, doorModeText, modeOfDoorText, commandText, doorCommandText } = signedTexts
  const { approvalOutcomeText, interlockText, passagesText, blocklistText, clockText, serverKeyText } = signedTexts
  return {
    enrolText: ['`enrol`', enrolText({ nonce: 'NONCE', code: 'CODE', serial: 'SERIAL' })],
    helloText: ['`hello`', helloText(connection)],
    configText: ['`config`', configText(config)],
    modeOfDoorText: ['`doorMode` (`doorSignature`)', modeOfDoorText(mode)],
    doorModeText: ['`doorMode` (`signature`)', doorModeText(mode)],
    mayPassText: [
      '`doorMode` (`mayPassSignature`)',
      signedTexts.mayPassText({ ...mode, mayPass: [['G1', 'G2'], ['G3']] }),
    ],
    doorCommandText: ['`command` (`doorSignature`)', doorCommandText(command)],
    commandText: ['`command` (`signature`)', commandText(command)],
    approvalOutcomeText: ['`approvalOutcome`', approvalOutcomeText({ ...connection, id: 'ID', outcome: 'OUTCOME' })],
    passagesText: ['`passages`', passagesText({ ...connection, passages, upTo: 'UP TO' })],
    interlockText: ['`interlockAnswer`', interlockText({ ...connection, id: 'ID', outcome: 'OUTCOME' })],
    blocklistText: ['`blocklist`', blocklistText({ ...connection, ...lists })],
    clockText: ['`welcome`, `heartbeatAck`', clockText({ ...connection, requestedAt: 'REQUESTED AT', at: 'AT' })],
    serverKeyText: [
      '`serverKey` (with the earlier key)',
      serverKeyText({ unit: 'UNIT', serverKey: 'NEW KEY', at: 'AT' }),
    ],
  }
}

/** The lines that a phrase of the guide's table stands for, where it is not the value of the field that it names. */
const linesOfPhrase: Record<string, string> = {
  'each list of mayPass with spaces between its groups': 'G1 G2\nG3',
  "server's nonce": 'NONCE',
  "unit's nonce": 'NONCE',
  version: '3',
  base: '2',
  door: '1',
  doorId: 'DOOR ID',
  timeToLiveMs: '9',
  upTo: 'UP TO',
  'at of the hello or heartbeat': 'REQUESTED AT',
  'for each passage: `AREA USER DIRECTION AT`': 'AREA USER entry 1\nAREA USER entry 2',
  'for each id in block: `block ID`': 'block B1\nblock B2',
  'for each id in unblock: `unblock ID`': 'unblock U1\nunblock U2',
}

function textOfRow(lines: string, isNull: boolean) {
  const read = lines.split(', ').map((phrase) => {
    const literal = /^`(.+)`$/.exec(phrase)?.[1]
    if (literal !== undefined) return literal
    const [, value = phrase, ifNull = ''] = /^(\w+) or `(.+)`$/.exec(phrase) ?? []
    return isNull && ifNull ? ifNull : (linesOfPhrase[value] ?? value.toUpperCase())
  })
  return ['portcullis.unit.v1', ...read].join('\n').replaceAll('USER entry', isNull ? 'USER unknown' : 'USER entry')
}

test.each([false, true])('the table of signed texts has the lines of each text (null values: %s)', (isNull) => {
  const [, table = ''] = /<!-- signed texts -->\n(.*?)\n<!-- end/s.exec(guide) ?? []
  const rows = table.split('\n').slice(2)
  const stated = rows.map((row) => {
    const [, , frame = '', lines = ''] = row.split('|').map((cell) => cell.trim())
    return `${frame}: ${textOfRow(lines, isNull)}`
  })
  const texts = textsWith(isNull)
  expect(Object.keys(texts).sort()).toEqual(Object.keys(signedTexts).sort())
  expect(stated.toSorted()).toEqual(
    Object.values(texts)
      .map(([frame, text]) => `${frame}: ${text}`)
      .toSorted(),
  )
})

test('the example of a signature in the guide is right', () => {
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 7)])
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
  expect(guide).toContain(createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64'))
  const text = signedTexts.enrolText({ nonce: 'YSBub25jZSBvZiB0aGUgc2VydmVy', code: '7K2M-9QXD', serial: 'PC-1' })
  expect(guide).toContain(`\n${text}\n`)
  expect(guide).toContain(signText(pkcs8.toString('base64'), text))
})

test('the example of credential keys in the guide is right', () => {
  const secret = 'dGhlIHNlY3JldCBvZiB0aGUgdW5pdA=='
  const user = '01890000-0000-7000-8000-0000000000b0'
  for (const text of [secret, '`4711`', '`2580`', user]) expect(guide).toContain(text)
  expect(guide).toContain(credentialKey(secret, '4711'))
  expect(guide).toContain(credentialKey(secret, pinNumber('2580', user)))
})

test('the example of a schedule in the guide is open and closed when it says so', () => {
  const [, json = '', table = ''] =
    /<!-- example of schedules -->\n```json\n(.*?)```(.*?)<!-- end of example/s.exec(guide) ?? []
  const configuration = { unit: '01890000-0000-7000-8000-000000000001', inService: true, from: '2026-01-01' }
  const rest = { until: '2029-01-01', doors: {}, rules: {}, access: {}, holders: {}, credentials: {} }
  const { sites, schedules } = unitConfig.parse({ ...configuration, ...rest, ...document.parse(JSON.parse(json)) })
  const [site] = Object.values(sites)
  const [schedule] = Object.values(schedules)
  if (!site || !schedule) throw new Error('The example has no site or no schedule')
  const rows = [...table.matchAll(/^\| (\S+Z) \|.*\| (open|closed) \|$/gm)]
  expect(rows).toHaveLength(10)
  for (const [, at = '', state] of rows) {
    const { open } = scheduleState({ schedule, ...site, at: Date.parse(at) })
    expect(open ? 'open' : 'closed', at).toBe(state)
  }
})
