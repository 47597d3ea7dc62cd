import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@portcullis/client/client'
import { signedInClient } from '@portcullis/client/signed-in-client'
import type { Role } from '@portcullis/contract/abilities'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { inject } from 'vitest'
import { z } from 'zod'
import { type Config, readConfig } from './config.ts'
import type { Database } from './database/database.ts'
import { createTestDatabase } from './database/test-database.ts'
import { insertAdministrator } from './first-administrator.ts'
import { hashPassword } from './passwords/password.ts'
import { openSession } from './sessions/session-store.ts'
import { hashOfToken } from './sessions/token.ts'
import { startServer } from './start-server.ts'

export const password = 'open sesame, please'

export type TestServer = Awaited<ReturnType<typeof startTestServer>>
export type TestUser = Awaited<ReturnType<TestServer['signIn']>>

/**
 * The real server that the test files of one worker share, with a top-level account of the file's own, `account`, and
 * its administrator. `stop` releases the refs and emails below that account for later files.
 */
export async function startTestServer() {
  const running = await (shared ??= startRunningServer())
  const account = `main-${uuidv7().slice(-12)}`
  const email = `root@${account}.example`
  const root = { ref: account, name: 'Main account', defaultTimeZone: 'UTC' }
  const administrator = { account: root, email, hash: await passwordHash(), now: new Date() }
  await running.database.asSystem((tx) => insertAdministrator(tx, administrator))
  return testServerOn(running, { account, email, stop: () => releaseNames(running.database, account) })
}

/**
 * A server and a database of the file's own, for tests of settings, limits and jobs, of several servers, and of what
 * concerns all accounts of an installation. Its first account is `main`.
 */
export async function startOwnServer(settings: Partial<Config> = {}) {
  const running = await startRunningServer(settings)
  return testServerOn(running, { account: 'main', email: firstEmail, stop: running.stop })
}

const firstEmail = 'root@portcullis.example'
/** Ends with its worker: the databases, and the folder of its data, are removed after all tests. */
let shared: ReturnType<typeof startRunningServer> | undefined
let hash: Promise<string> | undefined

function passwordHash() {
  return (hash ??= hashPassword(password))
}

async function startRunningServer(settings: Partial<Config> = {}) {
  const { databaseUrl, logins, drop } = await createTestDatabase()
  const dataDir = await mkdtemp(join(inject('testFolder'), 'server-'))
  const environment = {
    PORT: '0',
    HOST: '127.0.0.1',
    DEMO: 'off',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    SECRET_KEY_FILE: join(inject('testFolder'), 'secret.key'),
  }
  const config = readConfig({ ...environment, ADMIN_EMAIL: firstEmail, DATABASE_URL: databaseUrl })
  const server = await startServer(
    { ...config, adminPassword: password, recordsRefusals: false, ...settings },
    () => {},
  )
  const { port } = z.object({ port: z.int() }).parse(server.app.server.address())
  return {
    app: server.app,
    database: server.database,
    policies: server.policies,
    databaseUrl,
    logins,
    cookieName: settings.publicUrl?.startsWith('https:') ? '__Host-portcullis' : 'portcullis',
    url: `http://127.0.0.1:${port}`,
    async stop() {
      await server.stop()
      await drop()
      await rm(dataDir, { recursive: true })
    },
  }
}

/** Refs and emails are unique in an installation: releases those that a file has used, and ends its users' sessions. */
function releaseNames(database: Database, account: string) {
  return database.asSystem(async (tx) => {
    const below = sql`select account_closure_descendant from account_closure
      join account on account_key = account_closure_ancestor where account_ref = ${account}`
    await tx.run(sql`update session set session_ended_at = now() where session_ended_at is null
      and session_person in (select person_id from person where person_home in (${below}))`)
    await tx.run(sql`update person set person_email = null where person_home in (${below})`)
    await tx.run(sql`update account set account_ref = 'past-file-' || account_key where account_key in (${below})`)
  })
}

type Running = Awaited<ReturnType<typeof startRunningServer>>
type Own = { account: string; email: string; stop: () => Promise<void> }

async function testServerOn(running: Running, { account: main, email, stop }: Own) {
  const { app, database, policies, databaseUrl, logins, url, cookieName } = running
  // The administrator's session must not time out, however long a test file takes.
  await database.asSystem((tx) => tx.run(sql`update person set person_idle_time = 86400 where person_email = ${email}`))
  const root = await signIn(email, main)

  return {
    url,
    app,
    database,
    policies,
    databaseUrl,
    logins,
    /** The ref of the file's account. */
    account: main,
    ...root,
    signIn,
    signInWithPassword,
    signInAs,
    keyOf,
    stop,
  }

  /** A signed-in user with this role there, inserted directly into the database. */
  async function signInAs({ role, account = main }: { role: Role; account?: string }) {
    const [id, key] = [uuidv7(), await keyOf(account)]
    const ownEmail = `${role.toLowerCase()}-${id}@portcullis.example`
    await database.asSystem(async (tx) => {
      await tx.run(sql`insert into person (person_id, person_home, person_name, person_email, person_verified,
        person_password_hash) values (${id}, ${key}, ${`A ${role}`}, ${ownEmail}, true, ${await passwordHash()})`)
      await tx.run(sql`insert into membership (membership_user, membership_account, membership_role)
        values (${id}, ${key}, ${role})`)
    })
    return signIn(ownEmail, account)
  }

  /** A user with a new session, their typed client, and plain requests in this account. */
  async function signIn(userEmail: string, account = main) {
    const user = await database.asSystem((tx) =>
      tx.first(z.object({ id: z.uuid() }), sql`select person_id as id from person where person_email = ${userEmail}`),
    )
    if (!user) throw new Error(`no user has the email ${userEmail}`)
    const token = await openSession(database, { person: user.id, address: '127.0.0.1', device: undefined })
    // The session stays fresh, however long a test file takes.
    await database.asSystem((tx) =>
      tx.run(sql`update session set session_confirmed_at = now() + interval '1 day'
        where session_token_hash = ${hashOfToken(token)}`),
    )
    const headers = { cookie: `${cookieName}=${token}` }
    const client = createClient({ baseUrl: url, account: () => account, headers: () => headers })
    return testUser({ client, headers, email: userEmail, userId: user.id }, account)
  }

  /** The same through the sign-in call, for tests of signing in. */
  async function signInWithPassword(userEmail: string, account = main) {
    const options = { baseUrl: url, email: userEmail, password, account: () => account }
    const { client, headers, currentUser } = await signedInClient(options)
    return testUser({ client, headers, email: userEmail, userId: currentUser._id }, account)
  }

  function testUser(user: SignedIn, account: string) {
    const ask = (method: string, path: string, options: RequestOptions = {}) =>
      request(`${url}${path}`, {
        ...options,
        method,
        headers: { 'x-js-account': account, ...user.headers, ...options.headers },
      })
    return { ...user, ask, in: inAccount }

    /** Requests of the same user in another account. */
    function inAccount(other: string) {
      return (method: string, path: string, options: RequestOptions = {}) =>
        ask(method, path, { ...options, headers: { 'x-js-account': other, ...options.headers } })
    }
  }

  async function keyOf(ref: string) {
    const keys = z.object({ key: z.int() })
    const row = await database.asSystem((tx) =>
      tx.first(keys, sql`select account_key as key from account where account_ref = ${ref}`),
    )
    return keys.parse(row).key
  }
}

type SignedIn = {
  client: ReturnType<typeof createClient>
  headers: { cookie: string }
  email: string
  userId: string
}
type RequestOptions = { body?: unknown; headers?: Record<string, string> }

const item = z.looseObject({ _id: z.string() })
const answerBody = z.object({
  items: z.array(item).default([]),
  next: z.string().nullable().default(null),
  page: z.record(z.string(), z.unknown()).default({}),
  error: z
    .object({ code: z.string(), message: z.string(), fields: z.record(z.string(), z.string()).default({}) })
    .default({ code: '', message: '', fields: {} }),
})

export type Item = z.output<typeof item>

/**
 * Retries on 503, which the server returns when no database connection is free, as with many requests on a slow
 * machine; such a request was not begun.
 */
export async function requestUntilFree(...options: Parameters<typeof request>) {
  for (;;) {
    const answer = await request(...options)
    if (answer.status !== 503) return answer
  }
}

/** A plain request, for requests and answers that the typed client does not support. */
export async function request(url: string, { body, headers = {}, method }: RequestOptions & { method: string }) {
  const isText = typeof body === 'string'
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== ''
  const json: unknown = isJson ? JSON.parse(text) : {}
  return {
    status: response.status,
    headers: response.headers,
    json,
    ...answerBody.parse(Array.isArray(json) ? {} : json),
    /** The answer as one item. */
    get item() {
      return item.parse(json)
    },
  }
}
