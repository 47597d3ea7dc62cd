import type { IncomingHttpHeaders } from 'node:http'
import { parse as parseQuery } from 'node:querystring'
import fastifyCookie from '@fastify/cookie'
import { checkLive, checkReady } from '@portcullis/contract/calls/server'
import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { brandOf } from '@portcullis/contract/brands'
import { readConfiguration } from '@portcullis/contract/calls/configuration'
import { roomsPath } from '@portcullis/contract/rooms'
import { unitsPath } from '@portcullis/contract/unit-protocol/frames'
import { administrationEventTypes, allEventTypes, eventTypes } from '@portcullis/contract/event-types'
import type { ChangeFeed } from './changes/change-feed.ts'
import { registerCollections } from './collections/routes.ts'
import type { CollectionHooks } from './collections/collection-hooks.ts'
import type { Database } from './database/database.ts'
import { configurationBacklog } from './desired/configuration-backlog.ts'
import type { Policies } from './policy/policies.ts'
import { makePreviewChange, type PreviewChange } from './preview/preview-change.ts'
import { servePolicies } from './policies/serve-policies.ts'
import { type AccessOf, makeAccessOf, makePersonOf, type PersonOf, type Recall } from './http/access-of.ts'
import { AppError } from './errors/app-error.ts'
import { answerError, answerErrors, answerUnreadable } from './http/error-answers.ts'
import { guardWrites } from './http/guard-writes.ts'
import { guardUpgrades, isHandshake } from './http/guard-upgrades.ts'
import { limitPipelining } from './http/limit-pipelining.ts'
import { CountedResponse } from './http/open-requests.ts'
import { keepPeerAddresses } from './http/keep-peer-addresses.ts'
import { oneLongStep } from './input/one-long-step.ts'
import { parseJson } from './input/parse-json.ts'
import { serveReference } from './http/reference/serve-reference.ts'
import { makeServeCall, publicBodyBytes, type ServeCall } from './http/serve-call.ts'
import { watchDisconnects } from './http/watch-disconnects.ts'
import { shareConnections } from './http/share-connections.ts'
import { serveConsole } from './http/serve-console.ts'
import manifest from '../package.json' with { type: 'json' }
import { policyUpdated } from './policies/policies.ts'
import { contact } from './policies/contact.ts'
import { differsByHost } from './http/differs-by-host.ts'
import { FairTurns } from './limits/fair-turns.ts'
import { makeRunExport, type RunExport } from './exports/run-export.ts'
import { userOf } from './http/user-of-request.ts'

type CallDependencies = {
  accessOf: AccessOf
  personOf: PersonOf
  recall: Recall
  runExport: RunExport
  previewChange: PreviewChange
}

type CreateAppOptions = {
  database: Database
  feed: ChangeFeed
  publicUrl: string | undefined
  authProvider: 'local' | 'cognito'
  logLevel: string
  trustedProxies: string[]
  /** What entities add to the generic calls, by the name of their collection. */
  hooksByCollection: Readonly<Record<string, CollectionHooks>>
  policies: Policies
  /** Registers all other calls: those of the sign-in, and those of single entities. */
  register: (app: Application, dependencies: ServeCall & CallDependencies) => void
}

export type Application = ReturnType<typeof makeFastify>

/** The HTTP side of the server: generic calls, configuration, health, and the console's files. */
export async function createApp({
  database,
  feed,
  publicUrl,
  authProvider,
  logLevel,
  hooksByCollection,
  policies,
  register,
  trustedProxies,
}: CreateAppOptions) {
  const app = makeFastify({ logLevel, trustedProxies })
  shareConnections(app, { trustedProxies })
  keepPeerAddresses(app.server)
  guardUpgrades(app.server, [unitsPath, `${roomsPath}/`])
  limitPipelining(app.server)
  await app.register(fastifyCookie)
  watchDisconnects(app)
  answerErrors(app)
  guardWrites(app, { publicUrl })
  app.addHook('onResponse', async (request) => {
    if (request.method !== 'GET') feed.hint()
  })
  app.removeContentTypeParser('text/plain')
  // A DELETE may declare JSON and have an empty body.
  app.addContentTypeParser('application/json', { parseAs: 'string' }, async (request: FastifyRequest, body: string) =>
    body === '' ? undefined : parseBody(request, body),
  )
  const personOf = makePersonOf({ database, publicUrl })
  guardBodies(app, personOf)
  const { accessOf, answering, entering, enqueueForUser, recall } = makeAccessOf({ database, publicUrl, personOf })
  const serve = makeServeCall({ entering, answering, personOf, enqueueForUser, recall })
  const { serveCall } = serve
  registerConfiguration(app, { serveCall, authProvider })
  const runExport = makeRunExport(app)
  const previewChange = makePreviewChange({ database, policies })
  registerCollections(app, { database, accessOf, answering, entering, runExport, hooksByCollection, previewChange })
  register(app, { ...serve, accessOf, personOf, recall, runExport, previewChange })
  serveCall(app, checkLive, async () => ({ status: 'live' }) as const)
  serveCall(app, checkReady, async () => ({ status: 'ready' as const, ...(await configurationBacklog(database)) }))
  await serveReference(app)
  servePolicies(app)
  await serveConsole(app, { publicUrl })
  return app
}

/** How long a client may take to send the headers, and the whole request, and how long it may send nothing between two. */
const headerSeconds = 10
const requestSeconds = 30
const idleSeconds = 72

function makeFastify({ logLevel, trustedProxies }: Pick<CreateAppOptions, 'logLevel' | 'trustedProxies'>) {
  return Fastify({
    // Any client can set the header with the browser's address, so only these proxies are trusted.
    trustProxy: trustedProxies.length > 0 && trustedProxies,
    logger: { level: logLevel, redact: ['req.headers.cookie', 'req.headers.authorization'] },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => uuidv7(),
    bodyLimit: 1024 * 1024,
    // A filter with a thousand ids is sent in the URL.
    http: {
      maxHeaderSize: 192 * 1024,
      shouldUpgradeCallback: isHandshake,
      ServerResponse: CountedResponse,
      headersTimeout: headerSeconds * 1_000,
      connectionsCheckingInterval: 1_000,
    },
    requestTimeout: requestSeconds * 1_000,
    keepAliveTimeout: idleSeconds * 1_000,
    clientErrorHandler: answerUnreadable,
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
    routerOptions: {
      maxParamLength: 200,
      // No call takes as many: of more than these, one is unknown or given twice, which calls with a query refuse.
      querystringParser: (text) => parseQuery(text, '&', '=', { maxKeys: 200 }),
    },
  })
}

/** Reads no body where nothing is served, and a long one only in a live session. */
function guardBodies(app: FastifyInstance, personOf: PersonOf) {
  app.addHook('preParsing', async (request) => {
    if (request.is404) throw new AppError('not_found')
    const isPublic = request.routeOptions.bodyLimit === publicBodyBytes
    if (!isPublic && isLong(request.headers)) await personOf(request)
  })
}

/** One is parsed at a time, and two more of the same user wait. */
const longBodies = new FairTurns({ most: 1, ofKey: 3 })

/** Long bodies are parsed one at a time, in turn between users, and other requests are answered between two of them. */
function parseBody(request: FastifyRequest, body: string) {
  if (body.length <= publicBodyBytes) return parseJson(body, 'body')
  const key = userOf(request) ?? request.ip
  return longBodies.take({ key }, () => oneLongStep(key, () => parseJson(body, 'body')))
}

function isLong(headers: IncomingHttpHeaders) {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > publicBodyBytes
}

type ConfigurationOptions = Pick<ServeCall, 'serveCall'> & { authProvider: 'local' | 'cognito' }

/** The data that the browser needs at its start (specification §3 and §7). */
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
