import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readMigrations, schemaVersion } from './read-migrations.ts'

/** Writes migrations to a temporary folder, numbered after those of this version in the given order. */
export async function plantMigrations(texts: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'portcullis-migrations-'))
  const version = await schemaVersion()
  const files = Object.entries(texts).map(([name, text], index) => {
    const number = String(version + 1 + index).padStart(4, '0')
    return writeFile(join(folder, `${number}-${name}`), text)
  })
  await Promise.all(files)
  const remove = () => rm(folder, { recursive: true })
  try {
    return { migrations: await readMigrations(folder), remove }
  } catch (error) {
    await remove()
    throw error
  }
}
