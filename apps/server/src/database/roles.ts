import pg from 'pg'
import { ConfigError } from '../config-error.ts'

/** The role for users' requests: row level security limits it to the accounts set for its transaction. */
export const webRole = 'portcullis_web'
/** The role of the units' gateway, the jobs and the sign-in. */
export const systemRole = 'portcullis_system'

/**
 * Makes the two roles that hold the privileges, and the migrating role a member of both. Roles belong to the whole
 * engine, so another of its databases, or an administrator, may have created them.
 */
export async function makeRoles(client: pg.Client) {
  try {
    for (const role of [webRole, systemRole]) await makeRole(client, role)
  } catch (cause) {
    if (isForbidden(cause)) throw new ConfigError(await forbiddenSentence(client, cause), { cause })
    throw cause
  }
}

async function makeRole(client: pg.Client, role: string) {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role])
  if (rowCount === 0) {
    await client.query(`create role ${role} nologin`).catch((error: unknown) => {
      if (!isDuplicate(error)) throw error
    })
  }
  const { rows } = await client.query<{ member: boolean }>(`select pg_has_role(current_user, $1, 'usage') as member`, [
    role,
  ])
  if (rows[0]?.member !== true) await client.query(`grant ${role} to current_user`)
}

/** Says how an administrator of the engine makes the roles, or allows this role to. */
export async function forbiddenSentence(client: pg.Client, cause: Error) {
  const { rows } = await client.query<{ name: string }>('select quote_ident(current_user) as name')
  const name = rows[0]?.name ?? 'its role'
  return `DATABASE_URL: ${name} cannot create the roles of the server (${cause.message}). As an administrator of PostgreSQL, run: alter role ${name} createrole; if the roles exist, also: grant ${webRole}, ${systemRole} to ${name} with admin option. To create two logins yourself instead, set DATABASE_WEB_URL and DATABASE_SYSTEM_URL as the README describes.`
}

/** insufficient_privilege */
export function isForbidden(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.code === '42501'
}

/** duplicate_object, or unique_violation where two servers made the role at the same moment. */
export function isDuplicate(error: unknown) {
  return error instanceof pg.DatabaseError && (error.code === '42710' || error.code === '23505')
}
