import fastifyCookie from '@fastify/cookie'
import { checkLive, checkReady } from '@portcullis/contract/calls/server'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { brandOf } from '@portcullis/contract/brands'
import { readConfiguration } from '@portcullis/contract/calls/configuration'
import { administrationEventTypes, allEventTypes, eventTypes } from '@portcullis/contract/event-types'
import type { ChangeFeed } from './changes/change-feed.ts'
import { registerCollections } from './collections/routes.ts'
import type { ServerHalf } from './collections/server-half.ts'
import type { Database } from './database/database.ts'
import { servePolicies } from './policies/serve-policies.ts'
import { type AccessOf, makeAccessOf, makePersonOf, type PersonOf } from './http/access-of.ts'
import { answerError, answerErrors, answerUnreadable } from './http/error-answers.ts'
import { guardWrites } from './http/guard-writes.ts'
import { parseJson } from './input/parse-json.ts'
import { serveReference } from './http/reference/serve-reference.ts'
import { makeServeCall, type ServeCall } from './http/serve-call.ts'
import { serveConsole } from './http/serve-console.ts'
import manifest from '../package.json' with { type: 'json' }
import { policyUpdated } from './policies/policies.ts'
import { contact } from './policies/contact.ts'
import { differsByHost } from './http/differs-by-host.ts'

type Parts = {
  database: Database
  feed: ChangeFeed
  publicUrl: string | undefined
  authProvider: 'local' | 'cognito'
  logLevel: string
  trustedProxies: string[]
  /** What entities add to the generic verbs, by the name of their collection. */
  halves: Readonly<Record<string, ServerHalf>>
  /** All other calls: the sign-in's, and those of the entities' own. */
  register: (app: Application, parts: ServeCall & { accessOf: AccessOf; personOf: PersonOf }) => void
}

export type Application = ReturnType<typeof makeFastify>

/** The HTTP side of the server: generic calls, configuration, health, and the console's files. */
export async function createApp({
  database,
  feed,
  publicUrl,
  authProvider,
  logLevel,
  halves,
  register,
  trustedProxies,
}: Parts) {
  const app = makeFastify({ logLevel, trustedProxies })
  await app.register(fastifyCookie)
  answerErrors(app)
  guardWrites(app, { publicUrl })
  app.addHook('onResponse', async (request) => {
    if (request.method !== 'GET') feed.hint()
  })
  app.removeContentTypeParser('text/plain')
  // A DELETE may say that it carries JSON and carry nothing.
  app.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: unknown, body: string) =>
    body === '' ? undefined : parseJson(body, 'body'),
  )
  const personOf = makePersonOf({ database, publicUrl })
  const { accessOf, answering } = makeAccessOf({ database, publicUrl, personOf })
  const serve = makeServeCall({ accessOf, answering, personOf })
  const { serveCall } = serve
  registerConfiguration(app, { serveCall, authProvider })
  registerCollections(app, { database, accessOf, answering, halves })
  register(app, { ...serve, accessOf, personOf })
  serveCall(app, checkLive, async () => ({ status: 'live' }) as const)
  serveCall(app, checkReady, async () => {
    await database.asSystem(async () => {})
    return { status: 'ready' } as const
  })
  await serveReference(app)
  servePolicies(app)
  await serveConsole(app)
  return app
}

function makeFastify({ logLevel, trustedProxies }: Pick<Parts, 'logLevel' | 'trustedProxies'>) {
  return Fastify({
    // From anybody else the header that names the browser is anybody's word.
    trustProxy: trustedProxies.length > 0 && trustedProxies,
    logger: { level: logLevel, redact: ['req.headers.cookie', 'req.headers.authorization'] },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => uuidv7(),
    bodyLimit: 1024 * 1024,
    // A thousand ids in a filter travel in the address.
    http: { maxHeaderSize: 192 * 1024 },
    clientErrorHandler: answerUnreadable,
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
    routerOptions: { maxParamLength: 200 },
  })
}

type ConfigurationOptions = Pick<ServeCall, 'serveCall'> & { authProvider: 'local' | 'cognito' }

/** What the browser needs at its start (specification §3 and §7). */
function registerConfiguration(app: FastifyInstance, { serveCall, authProvider }: ConfigurationOptions) {
  serveCall(app, readConfiguration, async ({ request, reply }) => {
    const { key, product } = brandOf(request.headers.host)
    differsByHost(reply)
    return {
      authenticationProvider: authProvider,
      cognitoTenants: [],
      version: manifest.version,
      brand: { key, product },
      contact,
      recertification: { enabled: true },
      policyUpdated,
      AllEventTypes: [...allEventTypes],
      AuditEventTypes: [...administrationEventTypes],
      EventTypes: [...eventTypes],
    }
  })
}
