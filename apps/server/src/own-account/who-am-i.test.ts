import fastifyCookie from '@fastify/cookie'
import Fastify from 'fastify'
import type { Sql } from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { makeItem } from '../collections/test-items.ts'
import { Database, type Transaction } from '../database/database.ts'
import { isPrepared } from '../database/prepared-statements.ts'
import { makeAccessOf, makePersonOf } from '../http/access-of.ts'
import { startTestServer } from '../test-server.ts'
import { whoAmI } from './who-am-i.ts'

const server = await startTestServer()
const database = new (class extends Database {
  /** The statements that were sent alone, each in a round trip of its own. */
  readonly alone: Sql[] = []
  transactions = 0

  override rows<S extends z.ZodType>(schema: S, query: Sql) {
    this.alone.push(query)
    return super.rows(schema, query)
  }

  override ask(...scope: Parameters<Database['ask']>) {
    this.transactions++
    return super.ask(...scope)
  }

  override asSystem<T>(work: (tx: Transaction) => Promise<T>) {
    this.transactions++
    return super.asSystem(work)
  }
})({ logins: server.logins, connections: 2 })
const personOf = makePersonOf({ database, publicUrl: undefined })
const access = makeAccessOf({ database, publicUrl: undefined, personOf })
const app = Fastify()
await app.register(fastifyCookie)
app.get('/me', (request) => whoAmI({ database, personOf, ...access, isMfaRequiredOfHyperUsers: false }, { request }))
const url = await app.listen({ port: 0, host: '127.0.0.1' })
afterAll(async () => {
  await app.close()
  await database.close()
  await server.stop()
})

test('the current user is read in one round trip, with one prepared statement, where the rights are remembered', async () => {
  const { headers } = await server.signInAs({ role: 'accessManager' })
  await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'quay', name: 'Quay' } })
  const ask = async (): Promise<unknown> =>
    (await fetch(`${url}/me`, { headers: { ...headers, 'x-js-account': server.account } })).json()
  const lookedUp = await ask()
  expect(lookedUp).toMatchObject({ user: { role: 'accessManager' }, account: { descendants: ['quay'] } })
  database.alone.length = 0
  database.transactions = 0
  expect(await ask()).toEqual(lookedUp)
  expect([database.transactions, database.alone.map(isPrepared)]).toEqual([0, [true]])
})
