import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serverKeyText } from '@portcullis/contract/unit-protocol/signed-texts'
import { isSigned, signText } from '@portcullis/controllers/keys'
import type { VirtualUnit } from '@portcullis/controllers/virtual-unit'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { requestUnlockOnce } from './commands/commands.ts'
import { type GatewayWorld, gatewayWorld, ids, nomsasCard } from './gateway/test-world.ts'
import { serverKeysFrom } from './gateway/server-keys.ts'
import { credentialNumbersFrom } from './numbers/credential-numbers.ts'
import { sealNumber } from './numbers/sealed-rows.ts'
import { mfaSecretsFrom } from './mfa/mfa-secrets.ts'
import { renewRecoveryCodes, takeRecoveryCode } from './mfa/recovery-codes.ts'
import { earlierRecoveryKeys, finishRotation, rotateInDatabase, rotateKey } from './rotate-key.ts'
import { checkSecretKey, nextKeyFile, openSecretKey } from './secret-key.ts'

const patient = { timeout: 30_000, interval: 50 }

let world: GatewayWorld
let file: string
beforeEach(async () => {
  world = await gatewayWorld()
  file = join(await mkdtemp(join(tmpdir(), 'rotate-key-')), 'secret.key')
  await checkSecretKey(world.database, { file, key: await openSecretKey(file) })
})
afterEach(() => world.close())

/** Starts as a server does, on the same port each time. */
let port: number | undefined
async function start() {
  const secretKey = await openSecretKey(file)
  await checkSecretKey(world.database, { file, key: secretKey })
  const server = await world.startServer({ secretKey, ...(port === undefined ? {} : { port }) })
  port = server.port
  return server
}
beforeEach(() => {
  port = undefined
})

const rotate = () => rotateKey(world.database, { file })
/** It is connected and has its doors. */
const isWorking = (unit: VirtualUnit) =>
  vi.waitUntil(() => {
    const { running } = unit.state()
    return running?.isOnline && running.appliedVersion !== null
  }, patient)

async function unlockStatus() {
  const actor = {
    person: { _id: ids.nomsa, name: 'Nomsa' },
    account: { root: 0 },
    assumed: null,
    requestId: ids.rule,
  }
  const { _id } = await requestUnlockOnce(world.database, { door: ids.door, account: world.accountKey, actor })
  const query = sql`select unit_command_status as status, unit_command_detail as detail from unit_command
    where unit_command_id = ${_id} and unit_command_ended_at is not null`
  const ended = z.object({ status: z.string(), detail: z.string().nullable() })
  return vi.waitUntil(async () => (await world.rows(ended, query))[0], patient)
}
const confirmed = { status: 'confirmed', detail: null }

const keyRow = z.object({ isHeld: z.boolean() })
const heldKeys = () =>
  world.rows(
    keyRow,
    sql`select earlier_key_signing is not null as "isHeld" from earlier_key order by earlier_key_replaced_at`,
  )

test('a unit that was online trusts the new key once the servers start again, and commands reach it', async () => {
  const before = await start()
  const unit = await world.enrolledUnit(before.url)
  await isWorking(unit)
  expect(await unlockStatus()).toEqual(confirmed)
  await before.stop()
  expect((await rotate()).waiting).toMatchObject([{ name: 'Front controller', serial: 'PC-1', account: 'Acme' }])
  expect(await heldKeys()).toEqual([{ isHeld: true }])

  await start()
  await isWorking(unit)
  expect(await unlockStatus()).toEqual(confirmed)
  await vi.waitUntil(async () => (await heldKeys()).every(({ isHeld }) => !isHeld), patient)
  await world.changePolicy(sql`delete from link where link_target = ${ids.nomsa}`)
  await vi.waitUntil(() => (unit.state().running?.appliedVersion ?? 0) > 1, patient)
  expect(await unit.present(nomsasCard)).toMatchObject({ verdict: 'deny' })
})

test('a unit that was away during two rotations in a row trusts the newest key when it returns', async () => {
  const before = await start()
  const unit = await world.enrolledUnit(before.url)
  await isWorking(unit)
  await unit.setFaults({ offline: true })
  await before.stop()
  await rotate()
  await (await start()).stop()
  await rotate()
  expect(await heldKeys()).toEqual([{ isHeld: true }, { isHeld: false }])
  await start()
  await unit.setFaults({ offline: false })
  await isWorking(unit)
  expect(await unlockStatus()).toEqual(confirmed)
  await vi.waitUntil(async () => (await heldKeys()).every(({ isHeld }) => !isHeld), patient)
})

test('the end of the wait names the units that need a new enrolment, and they get no announcement', async () => {
  const before = await start()
  const unit = await world.enrolledUnit(before.url)
  await isWorking(unit)
  await unit.setFaults({ offline: true })
  await before.stop()
  await rotate()
  const key = await openSecretKey(file)
  expect(await finishRotation(world.database, { key })).toMatchObject([{ serial: 'PC-1' }])
  expect(await heldKeys()).toEqual([{ isHeld: false }])
  await start()
  await unit.setFaults({ offline: false })
  await isWorking(unit)
  expect(await unlockStatus()).toEqual({ status: 'refused', detail: 'not_signed' })
  await unit.enrol(await world.code())
  await isWorking(unit)
  expect(await unlockStatus()).toEqual(confirmed)
  expect(await finishRotation(world.database, { key })).toEqual([])
})

test('a server does not start with the old key, and no key is rotated while a server runs', async () => {
  const running = await start()
  await expect(rotate()).rejects.toThrow('stop all servers')
  const old = await readFile(file, 'utf8')
  await checkSecretKey(world.database, { file, key: await openSecretKey(file) })
  await running.stop()
  const { oldFile } = await rotate()
  expect(await readFile(oldFile, 'utf8')).toBe(old)
  expect(await readFile(file, 'utf8')).not.toBe(old)
  expect((await readdir(join(file, '..'))).length).toBe(2)
  await writeFile(file, old)
  await expect(start()).rejects.toThrow('If the key was rotated on another server, copy its new file here')
  await expect(rotate()).rejects.toThrow('holds another key')
})

test('a rotation that was interrupted before the database changed leaves all as it was, and the next run uses its key', async () => {
  const begun = await openSecretKey(nextKeyFile(file))
  await (await start()).stop()
  await rotate()
  expect(await openSecretKey(file)).toEqual(begun)
  await (await start()).stop()
})

test('a rotation that was interrupted after the database changed is reported at the start with the remedy, and is completed', async () => {
  const [key, next] = [await openSecretKey(file), await openSecretKey(nextKeyFile(file))]
  await world.database.asSystem((tx) => rotateInDatabase(tx, { file, key, next }))
  await expect(start()).rejects.toThrow('run npm run rotate-key again')
  await rotate()
  expect(await openSecretKey(file)).toEqual(next)
  expect(await heldKeys()).toHaveLength(1)
  await (await start()).stop()
})

test('a rotation that fails changes nothing', async () => {
  const key = await openSecretKey(file)
  await world.run(sql`insert into mfa (mfa_person, mfa_key) values (${ids.nomsa}, ${Buffer.alloc(60)})`)
  await expect(rotate()).rejects.toThrow('Cannot decrypt an authenticator key')
  expect(await openSecretKey(file)).toEqual(key)
  await (await start()).stop()
  expect(await heldKeys()).toEqual([])
})

test('authenticator apps and recovery codes work after two rotations, and new codes do too', async () => {
  const secrets = mfaSecretsFrom(await openSecretKey(file))
  const [app, pending] = [Buffer.from('the key of the app'), Buffer.from('a setup that is not complete')]
  const person = ids.nomsa
  await world.run(sql`insert into mfa (mfa_person, mfa_key, mfa_pending_key)
    values (${person}, ${secrets.sealKey(app, person)}, ${secrets.sealKey(pending, person)})`)
  const codes = await world.database.asSystem((tx) => renewRecoveryCodes(tx, { secrets, person }))
  await rotate()
  await rotate()

  const key = await openSecretKey(file)
  const renewed = mfaSecretsFrom(key, await earlierRecoveryKeys(world.database, { key }))
  const sealed = z.object({ key: z.instanceof(Buffer), pending: z.instanceof(Buffer) })
  const [row] = await world.rows(sealed, sql`select mfa_key as key, mfa_pending_key as pending from mfa`)
  expect(row && renewed.openKey(row.key, person)).toEqual(app)
  expect(row && renewed.openKey(row.pending, person)).toEqual(pending)
  const take = (typed = '') =>
    world.database.asSystem((tx) => takeRecoveryCode(tx, { secrets: renewed, person, typed }))
  expect([await take(codes[0]), await take(codes[0]), await take(codes[1])]).toEqual([true, false, true])
  const [fresh] = await world.database.asSystem((tx) => renewRecoveryCodes(tx, { secrets: renewed, person }))
  expect([await take(fresh), await take(codes[2])]).toEqual([true, false])
})

test('numbers of QR codes are sealed with the new key', async () => {
  const numbers = credentialNumbersFrom(await openSecretKey(file))
  const [credential, number] = [ids.card, 'A1B2-C3D4-E5F6']
  await world.database.asSystem((tx) => sealNumber(tx, { numbers, account: world.accountKey, credential, number }))
  await rotate()

  const renewed = credentialNumbersFrom(await openSecretKey(file))
  const sealed = z.object({ hash: z.instanceof(Buffer), value: z.instanceof(Buffer) })
  const [row] = await world.rows(
    sealed,
    sql`select sealed_number_hash as hash, sealed_number_value as value from sealed_number`,
  )
  expect(row && renewed.open(row.value, credential)).toBe(number)
  expect(row?.hash.equals(renewed.hash(number))).toBe(true)
})

test('the stored private part of an earlier key is useless without the current key', async () => {
  const old = serverKeysFrom(await openSecretKey(file))
  await (await start()).stop()
  await world.run(sql`insert into unit_secret (unit_secret_unit, unit_secret_public_key, unit_secret_secret)
    values (${ids.unit}, ${Buffer.from('key')}, ${Buffer.from('secret')})`)
  await rotate()
  const stored = z.object({ signing: z.instanceof(Buffer) })
  const [row] = await world.rows(stored, sql`select earlier_key_signing as signing from earlier_key`)
  const about = old.current.publicKey
  expect(() => row && old.sealing.open(row.signing, about)).toThrow()
  const { sealing } = serverKeysFrom(await openSecretKey(file))
  const text = serverKeyText({ unit: ids.unit, serverKey: 'key', at: 'now' })
  const signature = signText(row ? sealing.open(row.signing, about).toString() : '', text)
  expect(isSigned({ publicKey: about, text, signature })).toBe(true)
})
