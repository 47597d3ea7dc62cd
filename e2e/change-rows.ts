import pg from 'pg'

type Change = { databaseUrl: string; statement: string; values: unknown[] }

/** Changes rows behind the server's back: what no call can bring about, or only by waiting. */
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
