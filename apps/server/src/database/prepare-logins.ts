import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import pg from 'pg'
import { ConfigError } from '../config-error.ts'
import { loginIn, type Logins } from './logins.ts'
import { forbiddenSentence, isDuplicate, isForbidden, systemRole, webRole } from './roles.ts'

const kinds = [
  { kind: 'web', role: webRole, setting: 'DATABASE_WEB_URL' },
  { kind: 'system', role: systemRole, setting: 'DATABASE_SYSTEM_URL' },
] as const
type Kind = (typeof kinds)[number]

/**
 * Creates the server's logins, as the role that migrates, unless the operator has; then checks that none can become
 * another role. Throws a ConfigError with the remedy where one cannot be used.
 */
export async function prepareLogins(client: pg.Client, logins: Logins) {
  await forbidTemporaryTables(client)
  for (const kind of kinds) await prepareLogin({ client, logins, kind })
}

/** Removes logins whose key is no longer used, unless the operator has made them. No server may be connected. */
export async function dropLogins(databaseUrl: string, logins: Logins) {
  if (logins.origin === 'settings') return
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    for (const { kind } of kinds) await client.query(`drop role if exists ${loginIn(logins[kind]).user}`)
  } finally {
    await client.end()
  }
}

/** All roles may make them in a new database, and the server uses none. Only the owner of a database may forbid it. */
async function forbidTemporaryTables(client: pg.Client) {
  await client.query(
    `do $$ begin
       if exists (select from pg_database where datname = current_database() and pg_has_role(datdba, 'usage'))
         and has_database_privilege('${webRole}', current_database(), 'temporary') then
         execute format('revoke temporary on database %I from public', current_database());
       end if;
     end $$`,
  )
}

type Preparing = { client: pg.Client; logins: Logins; kind: Kind }

async function prepareLogin(preparing: Preparing) {
  const { client, logins, kind } = preparing
  const url = logins[kind.kind]
  if (logins.origin === 'settings') return checkLogin({ url, kind, problem: settingProblem(kind) })
  await createLogin(preparing)
  const problem = (reason: string) => createdProblem(url, reason)
  await checkLogin({ url, kind, problem }).catch(async (error: unknown) => {
    // The role was restored from a backup without its password, or an administrator has changed it.
    if (!(error instanceof ConfigError) || !isRefusedLogin(error.cause)) throw error
    const { user, password } = loginIn(url)
    await changing(client, `alter role ${user} password '${scramVerifier(password)}'`)
    await checkLogin({ url, kind, problem })
  })
}

async function createLogin({ client, logins, kind: { kind, role } }: Preparing) {
  const { user, password } = loginIn(logins[kind])
  const { rows } = await client.query<{ member: boolean }>(
    `select coalesce(pg_has_role(oid, $2, 'member'), false) as member from pg_roles where rolname = $1`,
    [user, role],
  )
  if (rows[0]?.member === true) return
  const attributes = 'login inherit nosuperuser nocreatedb nocreaterole noreplication nobypassrls'
  // Together one transaction: no server sees a login that is not a member yet.
  const create = rows[0] ? '' : `create role ${user} ${attributes} password '${scramVerifier(password)}';`
  await changing(client, `${create} grant ${role} to ${user}${await membershipOptions(client)}`).catch(
    (error: unknown) => {
      if (!isDuplicate(error)) throw error
    },
  )
}

/** PostgreSQL 15 has no such options: there a login may `set role` to the role of its privileges, and gains nothing. */
async function membershipOptions(client: pg.Client) {
  const { rows } = await client.query<{ version: number }>(
    `select current_setting('server_version_num')::int as version`,
  )
  return (rows[0]?.version ?? 0) >= 160_000 ? ' with inherit true, set false' : ''
}

async function changing(client: pg.Client, statement: string) {
  await client.query(statement).catch(async (cause: unknown) => {
    if (isForbidden(cause)) throw new ConfigError(await forbiddenSentence(client, cause), { cause })
    throw cause
  })
}

const standing = `
  select session_user::text as name, pg_has_role(session_user, $1, 'usage') as "hasRole",
         rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication as "isPowerful",
         array(select other.rolname::text from pg_roles other
                where other.oid <> own.oid and other.rolname <> $1 and pg_has_role(session_user, other.oid, 'member')
                order by 1 limit 3) as "otherRoles"
    from pg_roles own where rolname = session_user`

type Standing = { name: string; hasRole: boolean; isPowerful: boolean; otherRoles: string[] }
type CheckLoginOptions = { url: string; kind: Kind; problem: (reason: string) => string }

async function checkLogin({ url, kind: { role }, problem }: CheckLoginOptions) {
  const own = await readStanding(url, role).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ConfigError(problem(reason), { cause })
  })
  if (own === undefined) throw new ConfigError(problem('PostgreSQL does not list its role'))
  const { name, hasRole, isPowerful, otherRoles } = own
  if (!hasRole) throw new ConfigError(problem(`${name} is not a member of ${role}: grant ${role} to ${name}`))
  if (isPowerful) throw new ConfigError(problem(`${name} is an administrator: use a role without attributes`))
  if (otherRoles.length > 0) {
    throw new ConfigError(problem(`${name} can also act as ${otherRoles.join(', ')}: make it a member of ${role} only`))
  }
}

async function readStanding(url: string, role: string) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<Standing>(standing, [role])
    return rows[0]
  } finally {
    await client.end().catch(() => {})
  }
}

function settingProblem({ setting }: Kind) {
  return (reason: string) => `${setting}: its login cannot be used (${reason}).`
}

function createdProblem(url: string, reason: string) {
  return `DATABASE_URL: the server cannot connect as ${loginIn(url).user}, a login that it has created (${reason}). If a pooler or pg_hba.conf accepts only known logins, allow this one, or set DATABASE_WEB_URL and DATABASE_SYSTEM_URL to two logins of your own, as the README describes.`
}

/** invalid_password, or invalid_authorization_specification. */
export function isRefusedLogin(error: unknown) {
  return error instanceof pg.DatabaseError && (error.code === '28P01' || error.code === '28000')
}

const iterations = 4_096

/** What PostgreSQL stores for a password (RFC 5803), so that no statement or log of the database contains it. */
function scramVerifier(password: string) {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const clientKey = createHmac('sha256', salted).update('Client Key').digest()
  const storedKey = createHash('sha256').update(clientKey).digest('base64')
  const serverKey = createHmac('sha256', salted).update('Server Key').digest('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`
}
