import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { assertDatabaseReachable, assertPortFree, ensureDataDir } from './start-checks.ts'

let folder: string
let server: Server

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portcullis-checks-'))
  server = createServer((socket) => socket.destroy())
})

afterEach(async () => {
  server.close()
  await rm(folder, { recursive: true })
})

async function listeningPort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

test('a missing data directory is created, and left empty', async () => {
  const dataDir = join(folder, 'deep/data')
  await ensureDataDir(dataDir)
  expect(await readdir(dataDir)).toEqual([])
})

test('an unwritable data directory is refused with an error that names DATA_DIR', async () => {
  await writeFile(join(folder, 'file'), '')
  await expect(ensureDataDir(join(folder, 'file/data'))).rejects.toThrow(/^DATA_DIR: .*set DATA_DIR to another\.$/)
})

test('a port in use is refused with an error that names PORT, and a free one is not', async () => {
  const port = await listeningPort()
  const address = { port, host: '127.0.0.1' }
  await expect(assertPortFree(address)).rejects.toThrow(`PORT: ${port} is in use by another program`)
  server.close()
  await expect(assertPortFree(address)).resolves.toBeUndefined()
})

test('a host of another machine is refused with an error that names HOST', async () => {
  await expect(assertPortFree({ port: 0, host: '192.0.2.1' })).rejects.toThrow(/^HOST: 192\.0\.2\.1 is no address/)
})

test('an unreachable database is refused with an error that names DATABASE_URL without its password', async () => {
  const port = await listeningPort()
  const unreachable = assertDatabaseReachable(`postgres://me:hunter2@127.0.0.1:${port}/doors`)
  await expect(unreachable).rejects.toThrow(new RegExp(`^DATABASE_URL: 127\\.0\\.0\\.1:${port}/doors cannot be used`))
  await expect(unreachable).rejects.not.toThrow('hunter2')
})
