import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '@portcullis/server/database/embedded/start-embedded'
import { setEngine } from './engine-of-run.ts'

/** Before all journeys: starts one database engine for the run. Each file's database is a copy of a template in it. */
export default async function startEngine() {
  const home = await mkdtemp(join(tmpdir(), 'portcullis-journeys-'))
  // `mkdtemp` allows only the owner to enter, but PostgreSQL may run as another user.
  await chmod(home, 0o711)
  const { databaseUrl, stop } = await startEmbedded({ dataDir: home, log: () => {}, purpose: 'tests' })
  setEngine({ url: databaseUrl, home })
  return async () => {
    await stop()
    await rm(home, { recursive: true, force: true })
  }
}
