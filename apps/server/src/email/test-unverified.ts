import sql from 'sql-template-tag'
import { Database } from '../database/database.ts'
import { reachEmbedded } from '../database/embedded/reach-embedded.ts'

/** Makes the e-mail of somebody with a password unconfirmed again, in the database of a server that runs. */
export async function makeUnverified({ dataDir, email }: { dataDir: string; email: string }) {
  const engine = await reachEmbedded({ dataDir, log: () => {} })
  const database = new Database({ databaseUrl: engine.databaseUrl, connections: 1 })
  try {
    await database.asSystem((tx) =>
      tx.run(sql`update person set person_verified = false where person_email = ${email}`),
    )
  } finally {
    await database.close()
    await engine.stop()
  }
}
