import type { Call, InputOf, OutputOf, PathOf, QueryOf } from '@portcullis/contract/call'
import { historyHeader } from '@portcullis/contract/calls/audit-logs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type Access, demandAbilities } from '../abilities/access.ts'
import type { Item } from '../history/record-history.ts'
import { parseInput } from '../input/parse-input.ts'
import { requireFreshSignIn } from '../sessions/require-fresh-sign-in.ts'
import type { SessionPerson } from '../sessions/session-store.ts'
import { type Answering, type Entering, type EnqueueForUser, type PersonOf, type Recall } from './access-of.ts'
import { accountHeader } from './account-headers.ts'

type Identities = { person: SessionPerson; access: Access }

/** The caller: any client, a signed-in user, or a user in an account. */
type IdentityOf<C extends Call> = C['access'] extends 'account'
  ? Pick<Identities, 'access'>
  : C['access'] extends 'none'
    ? object
    : Pick<Identities, 'person'>

/** The input of a call's handler, checked against the definition of the call. */
export type CallRequest<C extends Call> = IdentityOf<C> & {
  request: FastifyRequest
  reply: FastifyReply
  path: PathOf<C>
  query: QueryOf<C>
  input: InputOf<C>
}

/** The answer to a call that changes items: its body, if it has one, and the audit log entry, unless nothing changed. */
export type RecordedAnswer = { item?: Item; entry: string | undefined }

type AnswerOf<C extends Call> = C extends { isRecorded: true }
  ? RecordedAnswer
  : C extends { download: readonly string[] }
    ? FastifyReply
    : OutputOf<C>

type Handle<C extends Call> = (request: CallRequest<C>) => Promise<AnswerOf<C>>

/** With `demand`, a call can refuse a request before its query and input are checked, so that their errors reveal nothing. */
type Handler<C extends Call> =
  | Handle<C>
  | { demand: (request: Omit<CallRequest<C>, 'query' | 'input'>) => Promise<unknown>; handle: Handle<C> }

export type ServeCall = ReturnType<typeof makeServeCall>

type MakeServeCallOptions = {
  entering: Entering
  answering: Answering
  personOf: PersonOf
  enqueueForUser: EnqueueForUser
  recall: Recall
}

/** The input of every handler, without its specific types. */
type AnyRequest = Partial<Identities> & {
  request: FastifyRequest
  reply: FastifyReply
  path: Readonly<Record<string, string>>
  query: unknown
  input: unknown
}
type AnyHandle = (request: AnyRequest) => Promise<unknown>
type AnyHandler = AnyHandle | { demand: AnyHandle; handle: AnyHandle }

/**
 * Registers the routes of calls. Method, path, guard, access, abilities, input and status come from the call, so that a route
 * cannot disagree with its documentation. The checks run in this order: session and account, abilities, fresh sign-in, query,
 * input.
 */
export function makeServeCall({ entering, answering, personOf, enqueueForUser, recall }: MakeServeCallOptions) {
  return { serveCall, serveProvenCall, serveIdentifyingCall }

  function serveCall<C extends Call>(app: FastifyInstance, call: C, handler: Handler<C>): void
  function serveCall(app: FastifyInstance, call: Call, handler: AnyHandler) {
    addRoute(app, call, async (request, reply) => {
      if (call.access === 'none') return answer(call, handler, { request, reply })
      if (call.access === 'account') {
        await entering(request, (access) => untilSending(request, answer(call, handler, { request, reply, access })))
        return reply
      }
      const person = await personWithHeader(request)
      await enqueueForUser(person._id, () => untilSending(request, answer(call, handler, { request, reply, person })))
      return reply
    })
  }

  /** For handlers that prove the rights within their own transaction, and can run again if the rights have changed. */
  function serveProvenCall<C extends Call & { access: 'account' }>(
    app: FastifyInstance,
    call: C,
    handler: Handler<C>,
  ): void
  function serveProvenCall(app: FastifyInstance, call: Call, handler: AnyHandler) {
    addRoute(app, call, async (request, reply) => {
      await answering(request, (access) => untilSending(request, answer(call, handler, { request, reply, access })))
      return reply
    })
  }

  /** Every request in a session names an account or `null`, even if the call acts in none (specification §7). */
  async function personWithHeader(request: FastifyRequest) {
    const person = await personOf(request)
    accountHeader(request.raw)
    return person
  }

  /**
   * For handlers that identify the user themselves, in the statement that reads the answer. They get the user only where the
   * rights are not remembered.
   */
  function serveIdentifyingCall<C extends Call & { access: 'optional account' }>(
    app: FastifyInstance,
    call: C,
    handler: (request: Omit<CallRequest<C>, 'person'> & { person?: SessionPerson }) => Promise<AnswerOf<C>>,
  ): void
  function serveIdentifyingCall(app: FastifyInstance, call: Call, handler: AnyHandle) {
    addRoute(app, call, async (request, reply) => {
      const remembered = recall(request)
      if (remembered) {
        const { person } = remembered
        await enqueueForUser(person._id, () => untilSending(request, answer(call, handler, { request, reply })))
        return reply
      }
      const person = await personOf(request)
      await enqueueForUser(person._id, () => untilSending(request, answer(call, handler, { request, reply, person })))
      return reply
    })
  }
}

/** The path of a call (`/api/doors/{id}`) as Fastify writes it. */
export function routePath(path: string) {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/** What ends when the answer to a request begins. */
const sending = new WeakMap<FastifyRequest, () => void>()

/** Settles when the answer begins or fails: clients that read slowly do not hold the turns of others. */
function untilSending(request: FastifyRequest, answered: Promise<unknown>) {
  const { promise, resolve } = Promise.withResolvers<void>()
  sending.set(request, resolve)
  return Promise.race([answered, promise])
}

type Route = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** Without a session a client cannot make the server read more than this many bytes. */
export const publicBodyBytes = 64 * 1024

function addRoute(app: FastifyInstance, call: Call, handler: Route) {
  const { method, path, access, hasEffect, servesWithout } = call
  const bodyLimit = call.bodyLimit ?? (access === 'none' ? publicBodyBytes : undefined)
  app.route({
    method,
    url: routePath(path),
    config: { ...(hasEffect ? { hasEffect } : {}), ...(servesWithout ? { servesWithout } : {}) },
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    onSend: async (request) => sending.get(request)?.(),
    handler,
  })
}

type Identified = Partial<Identities> & Pick<AnyRequest, 'request' | 'reply'>

async function answer(call: Call, handler: AnyHandler, identified: Identified) {
  const { request, reply, access } = identified
  if (access) demandAbilities(access, call.abilities ?? [])
  const path = pathParams.parse(request.params)
  const { demand, handle } = typeof handler === 'function' ? { demand: undefined, handle: handler } : handler
  await demand?.({ ...identified, path, query: undefined, input: undefined })
  if (call.needsFreshSignIn) requireFreshSignIn(sessionOf(identified))
  const query = call.query && parseInput(call.query, request.query)
  const input = call.input && parseInput(call.input, request.body)
  const answered = await handle({ ...identified, path, query, input })
  // A download was sent by its handler, even if its reader has gone before its end.
  return call.download || reply.sent ? reply : sendAnswer(call, reply, answered)
}

function sessionOf({ access, person }: Identified) {
  return access ?? person?.session ?? { freshUntil: null }
}

function sendAnswer(call: Call, reply: FastifyReply, answered: unknown) {
  const { item, entry } = call.isRecorded ? recorded.parse(answered) : { item: answered, entry: undefined }
  if (entry !== undefined) reply.header(historyHeader, entry)
  const body = call.output ? item : undefined
  return reply.status(call.status ?? (call.output ? 200 : 204)).send(body)
}

const pathParams = z.record(z.string(), z.string())
const recorded = z.object({ item: z.unknown().optional(), entry: z.string().optional() })
