import pg from 'pg'

/** The size of the database on disk, such as `9.8 GB`. */
export async function sizeOfDatabase(databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ size: string }>(
      'select pg_size_pretty(pg_database_size(current_database())) as size',
    )
    return rows[0]?.size ?? 'an unknown size'
  } finally {
    await client.end()
  }
}
