import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectEmbedded } from './reach-embedded.ts'
import { startEmbedded } from './start-embedded.ts'

let dataDir: string
const log = () => {}

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'portcullis-reach-'))
  await chmod(dataDir, 0o755)
})
afterEach(() => rm(dataDir, { recursive: true }))

test('a command-line tool reaches the database, whether the server runs or not', async () => {
  const server = await startEmbedded({ dataDir, log })
  const beside = await connectEmbedded({ dataDir, log })
  await query(beside.databaseUrl, 'create table kept as select 7 as number')
  await beside.stop()
  expect(await query(server.databaseUrl, 'select number from kept')).toEqual([7])
  await server.stop()
  const alone = await connectEmbedded({ dataDir, log })
  expect(await query(alone.databaseUrl, 'select number from kept')).toEqual([7])
  await alone.stop()
  await expect(query(alone.databaseUrl, 'select 1')).rejects.toThrow('ECONNREFUSED')
})

test('a folder without an installation is refused, and nothing is created in it', async () => {
  await expect(connectEmbedded({ dataDir, log })).rejects.toThrow(/^DATA_DIR: there is no database in/)
})

async function query(url: string, statement: string) {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const { rows } = await client.query<unknown[]>({ text: statement, rowMode: 'array' })
    return rows.flat()
  } finally {
    await client.end()
  }
}
