import { brands } from '@portcullis/contract/brands'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { accountHeader, demandReadableHeaders } from './account-headers.ts'
import { AppError } from '../errors/app-error.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A GET that does something, such as send mail: locked like a write. */
    hasEffect?: true
  }
}

/**
 * Protection against forged requests: a request that changes state carries X-JS-ACCOUNT, which no other site's page can add, and comes
 * from our own origin where the browser names one.
 */
export function guardWrites(app: FastifyInstance, { publicUrl }: { publicUrl: string | undefined }) {
  app.addHook('onRequest', async (request) => {
    demandReadableHeaders(request.raw)
    if (isPlainRead(request)) return
    accountHeader(request.raw)
    const { headers, protocol } = request
    const { origin, host } = headers
    if (origin !== undefined && !isOwnOrigin({ origin, host, protocol, publicUrl })) {
      throw new AppError('origin_refused')
    }
  })
}

function isPlainRead({ method, routeOptions }: FastifyRequest) {
  return (method === 'GET' || method === 'HEAD') && !routeOptions.config.hasEffect
}

type IsOwnOriginInput = {
  origin: string
  host: string | undefined
  /** The scheme of the request: `http`, or `https` behind a trusted proxy that says so. */
  protocol: string
  publicUrl: string | undefined
}

/**
 * Whether an Origin is ours: the public address, or a brand's own host that the request was sent to by the same scheme. Where
 * there is no public address, any host that the request was sent to, by the scheme of the request.
 */
export function isOwnOrigin({ origin, host, protocol, publicUrl }: IsOwnOriginInput) {
  const from = URL.parse(origin)
  if (!from || from.host === '') return false
  if (publicUrl === undefined) return from.host === host && from.protocol === `${protocol}:`
  const own = URL.parse(publicUrl)
  if (from.origin === own?.origin) return true
  return from.host === host && from.protocol === own?.protocol && brandHosts.has(from.hostname)
}

const brandHosts = new Set(Object.values(brands).flatMap(({ hosts }) => hosts))
