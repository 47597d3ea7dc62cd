import fastifyCookie from '@fastify/cookie'
import { pathOf } from '@portcullis/contract/call'
import { whoAmI } from '@portcullis/contract/calls/authentication'
import { doorAccess } from '@portcullis/contract/calls/explorer'
import { ownSessions } from '@portcullis/contract/calls/own-sessions'
import Fastify from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { registerCollections } from '../collections/routes.ts'
import { makeItem } from '../collections/test-items.ts'
import { AppError } from '../errors/app-error.ts'
import { makeRunExport } from '../exports/run-export.ts'
import { makePreviewChange } from '../preview/preview-change.ts'
import { startTestServer, type TestUser } from '../test-server.ts'
import { makeAccessOf, makePersonOf } from './access-of.ts'
import { answerErrors } from './error-answers.ts'
import { makeServeCall } from './serve-call.ts'
import { watchDisconnects } from './watch-disconnects.ts'

const server = await startTestServer()
const app = Fastify({ genReqId: () => uuidv7() })
let gate = Promise.withResolvers<void>()
const begun: string[] = []
afterAll(async () => {
  gate.resolve()
  await app.close()
  await server.stop()
})

await app.register(fastifyCookie)
watchDisconnects(app)
answerErrors(app)
const { database } = server
const personOf = makePersonOf({ database, publicUrl: undefined })
const access = makeAccessOf({ database, publicUrl: undefined, personOf })
registerCollections(app, {
  database,
  ...access,
  runExport: makeRunExport(app),
  hooksByCollection: {},
  previewChange: makePreviewChange(server),
})
const { serveCall, serveIdentifyingCall } = makeServeCall({ ...access, personOf })
serveCall(app, doorAccess, async ({ access: { person } }) => {
  begun.push(person._id)
  await gate.promise
  throw new AppError('not_found')
})
serveCall(app, ownSessions, async () => [])
serveIdentifyingCall(app, whoAmI, async () => {
  throw new AppError('not_found')
})
const url = await app.listen({ port: 0, host: '127.0.0.1' })

test('§7 a user with 6 slow calls waits with the next, of the explorer or of a list, and others do not', async () => {
  const [ann, ben] = [await server.signInAs({ role: 'admin' }), await server.signInAs({ role: 'admin' })]
  const slow = Array.from({ length: 6 }, () => explore(ann))
  await expect.poll(() => begun).toHaveLength(6)
  let isListed = false
  const waiting = [explore(ann), list(ann).finally(() => (isListed = true))]
  const callOfBen = explore(ben)
  expect(await list(ben)).toBe(200)
  await expect.poll(() => begun).toContain(ben.userId)
  expect(begun.filter((id) => id === ann.userId)).toHaveLength(6)
  expect(isListed).toBe(false)
  gate.resolve()
  const answers = await Promise.all([...slow, callOfBen, ...waiting])
  expect(answers).toEqual([...Array.from({ length: 8 }, () => 404), 200])
})

test.each([
  ['their sessions', ownSessions, 200],
  ['themselves', whoAmI, 404],
] as const)('§7 a user with 6 slow calls waits with a call about %s', async (_name, call, status) => {
  gate = Promise.withResolvers<void>()
  begun.length = 0
  const [ann, ben] = [await server.signInAs({ role: 'admin' }), await server.signInAs({ role: 'admin' })]
  const slow = Array.from({ length: 6 }, () => explore(ann))
  await expect.poll(() => begun).toHaveLength(6)
  let isAnswered = false
  const waiting = ask(ann, call.path).finally(() => (isAnswered = true))
  for (const _of of [1, 2, 3]) expect(await ask(ben, call.path)).toBe(status)
  expect(isAnswered).toBe(false)
  gate.resolve()
  expect(await waiting).toBe(status)
  await Promise.all(slow)
})

test('§7 a call beyond all turns of its user is refused without asking the database', async () => {
  gate = Promise.withResolvers<void>()
  const ann = await server.signInAs({ role: 'admin' })
  expect(await list(ann)).toBe(200)
  const turns = Array.from({ length: 206 }, () => access.enqueueForUser(ann.userId, () => gate.promise))
  const asked = vi.spyOn(database, 'ask')
  onTestFinished(() => asked.mockRestore())
  expect(await list(ann)).toBe(429)
  expect(asked).not.toHaveBeenCalled()
  gate.resolve()
  await Promise.all(turns)
})

test('§7 an account with 14 slow calls of its users waits with the next, and another account does not', async () => {
  gate = Promise.withResolvers<void>()
  begun.length = 0
  const { ref } = await otherAccount()
  const newUser = (account: string) => server.signInAs({ role: 'admin', account })
  const users = [await newUser(server.account), await newUser(server.account), await newUser(server.account)]
  const [next, elsewhere] = [await newUser(server.account), await newUser(ref)]
  // A user alone runs 6.
  const slow = users.flatMap((user, at) => Array.from({ length: [6, 6, 2][at] ?? 0 }, () => explore(user)))
  await expect.poll(() => begun).toHaveLength(14)
  let isListed = false
  const waiting = [explore(next), list(next).finally(() => (isListed = true))]
  const callElsewhere = explore(elsewhere, ref)
  for (const _of of [1, 2, 3]) expect(await list(elsewhere, ref)).toBe(200)
  await expect.poll(() => begun).toContain(elsewhere.userId)
  expect(begun).not.toContain(next.userId)
  expect(isListed).toBe(false)
  gate.resolve()
  expect(await Promise.all([...waiting, callElsewhere])).toEqual([404, 200, 404])
  await Promise.all(slow)
})

async function otherAccount() {
  const { ref } = await makeItem({ ask: server.ask, collection: 'accounts' })
  return { ref: String(ref) }
}

function explore(user: TestUser, account?: string) {
  return ask(user, pathOf(doorAccess, { id: uuidv7() }), account)
}

function list(user: TestUser, account?: string) {
  return ask(user, '/api/sites', account)
}

async function ask({ headers }: TestUser, path: string, account = server.account) {
  const { status } = await fetch(`${url}${path}`, { headers: { 'x-js-account': account, ...headers } })
  return status
}
