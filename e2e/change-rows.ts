import pg from 'pg'

type Change = { databaseUrl: string; statement: string; values: unknown[] }

/** Changes rows directly in the database, for states that no call can cause, or only after a long wait. */
export async function changeRows({ databaseUrl, statement, values }: Change) {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    await client.query('set role portcullis_system')
    await client.query(statement, values)
  } finally {
    await client.end()
  }
}
