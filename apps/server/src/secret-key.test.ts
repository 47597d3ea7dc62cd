import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { Database } from './database/database.ts'
import { createTestDatabase } from './database/test-database.ts'
import { checkSecretKey, confirmSecretKey, openSecretKey } from './secret-key.ts'

const { databaseUrl, logins, drop } = await createTestDatabase()
const database = new Database({ logins, connections: 4 })
const folder = await mkdtemp(join(tmpdir(), 'portcullis-key-'))
afterAll(async () => {
  await database.close()
  await drop()
  await rm(folder, { recursive: true })
})

let file: string
beforeEach(async () => {
  file = join(await mkdtemp(join(folder, 'key-')), 'secret.key')
})

test('servers that start together on one folder create one key, and all read it whole', async () => {
  const keys = await Promise.all(Array.from({ length: 20 }, () => openSecretKey(file)))
  expect(new Set(keys.map((key) => key.toString('hex')))).toEqual(new Set([await readFile(file, 'utf8')]))
  expect(await readdir(join(file, '..'))).toEqual(['secret.key'])
})

test.each([['deadbeef'], ['']])('a file with the text "%s" is refused with an error that names it', async (text) => {
  await writeFile(file, text)
  await expect(openSecretKey(file)).rejects.toThrow(`SECRET_KEY_FILE: ${file} does not hold 32 bytes`)
})

test('a key that cannot be created is refused with an error that names the file', async () => {
  const inside = join(file, 'secret.key')
  await writeFile(file, '')
  await expect(openSecretKey(inside)).rejects.toThrow(`SECRET_KEY_FILE: ${inside} cannot be read`)
})

test('a database accepts the key that it was first used with, and refuses another', async () => {
  const key = await openSecretKey(file)
  await checkSecretKey(database, { file, key })
  await checkSecretKey(database, { file, key })
  await expect(checkSecretKey(database, { file, key: Buffer.alloc(32) })).rejects.toThrow(/holds another key .*restore/)
  await checkSecretKey(database, { file, key })
  await confirmSecretKey(databaseUrl, { file, key })
  await expect(confirmSecretKey(databaseUrl, { file, key: Buffer.alloc(32) })).rejects.toThrow(/holds another key/)
})
