import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signedInClient } from '@portcullis/client/signed-in-client'
import type { Role } from '@portcullis/contract/abilities'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { type Config, readConfig } from './config.ts'
import { createTestDatabase } from './database/test-database.ts'
import { hashPassword } from './passwords/password.ts'
import { startServer } from './start-server.ts'

export const password = 'open sesame, please'
const adminEmail = 'root@portcullis.example'

export type TestServer = Awaited<ReturnType<typeof startTestServer>>
export type Visitor = Awaited<ReturnType<TestServer['signIn']>>

/** The real server on a database of its own, for the tests of one file; `main` is the account that it begins with. */
export async function startTestServer(settings: Partial<Config> = {}) {
  const { databaseUrl, drop } = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'portcullis-server-'))
  const environment = { PORT: '0', HOST: '127.0.0.1', DEMO: 'off', DATA_DIR: dataDir, LOG_LEVEL: 'silent' }
  const administrator = { ADMIN_EMAIL: adminEmail, ADMIN_PASSWORD: password, DATABASE_URL: databaseUrl }
  const server = await startServer({ ...readConfig({ ...environment, ...administrator }), ...settings }, () => {})
  const { database } = server
  const { port } = z.object({ port: z.int() }).parse(server.app.server.address())
  const url = `http://127.0.0.1:${port}`
  const hash = await hashPassword(password)
  // However long a file of tests takes, its administrator has not gone away.
  await database.asSystem((tx) => tx.run(sql`update person set person_idle_time = 86400`))
  const root = await signIn(adminEmail, 'main')

  return {
    url,
    app: server.app,
    database,
    databaseUrl,
    ...root,
    signIn,
    signInAs,
    keyOf,
    async stop() {
      await server.stop()
      await drop()
      await rm(dataDir, { recursive: true })
    },
  }

  /** A person with this role there, made behind the server's back and signed in. */
  async function signInAs({ role, account = 'main' }: { role: Role; account?: string }) {
    const [id, key] = [uuidv7(), await keyOf(account)]
    const email = `${role.toLowerCase()}-${id}@portcullis.example`
    await database.asSystem(async (tx) => {
      await tx.run(sql`insert into person (person_id, person_home, person_name, person_email, person_verified,
        person_password_hash) values (${id}, ${key}, ${`A ${role}`}, ${email}, true, ${hash})`)
      await tx.run(sql`insert into membership (membership_user, membership_account, membership_role)
        values (${id}, ${key}, ${role})`)
    })
    return signIn(email, account)
  }

  /** Somebody who has a password, with their typed client and their plain requests in this account. */
  async function signIn(email: string, account: string) {
    const { client, headers, currentUser } = await signedInClient({
      baseUrl: url,
      email,
      password,
      account: () => account,
    })
    const ask = (method: string, path: string, asked: Asked = {}) =>
      request(`${url}${path}`, { ...asked, method, headers: { 'x-js-account': account, ...headers, ...asked.headers } })
    return { client, headers, email, userId: currentUser._id, ask, in: inAccount }

    /** The same person, asking in another account. */
    function inAccount(other: string) {
      return (method: string, path: string, asked: Asked = {}) =>
        ask(method, path, { ...asked, headers: { 'x-js-account': other, ...asked.headers } })
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

type Asked = { body?: unknown; headers?: Record<string, string> }

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

/** A plain request, for what the typed client would not send or not read. */
export async function request(url: string, { body, headers = {}, method }: Asked & { method: string }) {
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
