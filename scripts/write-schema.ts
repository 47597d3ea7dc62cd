import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeSchema } from '../apps/server/src/database/describe-schema.ts'
import { startEmbedded } from '../apps/server/src/database/embedded/start-embedded.ts'
import { migrate } from '../apps/server/src/database/migrate.ts'

/** Writes docs/schema.sql from the catalogue of an empty database after all migrations. */
const dataDir = await mkdtemp(join(tmpdir(), 'portcullis-schema-'))
// PostgreSQL may run as another user, who must reach its folder.
await chmod(dataDir, 0o711)
const engine = await startEmbedded({ dataDir, log: () => {}, purpose: 'tests' })
try {
  await migrate(engine.databaseUrl)
  await writeFile(join(import.meta.dirname, '../docs/schema.sql'), await describeSchema(engine.databaseUrl))
} finally {
  await engine.stop()
  await rm(dataDir, { recursive: true })
}
