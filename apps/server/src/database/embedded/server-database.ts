import type pg from 'pg'

const name = 'portcullis'

type Preparation = { client: pg.Client; serverPassword: string; mayCreateDatabases: boolean }

/** The server's role and database, made once: it may migrate and make roles of its own, and is no superuser. */
export async function prepareServerDatabase({
  client,
  serverPassword,
  mayCreateDatabases,
}: Preparation): Promise<void> {
  const role = await client.query('select 1 from pg_roles where rolname = $1', [name])
  if (role.rowCount === 0) {
    await client.query(
      `create role ${name} login createrole nosuperuser password ${client.escapeLiteral(serverPassword)}`,
    )
  }
  if (mayCreateDatabases) await client.query(`alter role ${name} createdb`)
  const database = await client.query('select 1 from pg_database where datname = $1', [name])
  if (database.rowCount === 0) await client.query(`create database ${name} owner ${name}`)
}

export function serverDatabaseUrl(port: number, serverPassword: string): string {
  return `postgres://${name}:${serverPassword}@127.0.0.1:${port}/${name}`
}
