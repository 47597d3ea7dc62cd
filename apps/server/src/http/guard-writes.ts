import type { FastifyInstance, FastifyRequest } from 'fastify'
import { accountHeader } from './access-of.ts'
import { AppError } from './app-error.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A GET that does something, such as send mail: locked like a write. */
    hasEffect?: true
  }
}

/**
 * The lock against forged requests: what changes state carries X-JS-ACCOUNT, which no foreign page can add, and comes
 * from our own origin where the browser names one.
 */
export function guardWrites(app: FastifyInstance, { publicUrl }: { publicUrl: string | undefined }) {
  app.addHook('onRequest', async (request) => {
    if (isPlainRead(request)) return
    accountHeader(request.raw)
    const { origin } = request.headers
    if (origin !== undefined && !isOwnOrigin({ origin, host: request.headers.host, publicUrl })) {
      throw new AppError('origin_refused', 'This request came from a page of another origin.')
    }
  })
}

function isPlainRead({ method, routeOptions }: FastifyRequest) {
  return (method === 'GET' || method === 'HEAD') && !routeOptions.config.hasEffect
}

type Asked = { origin: string; host: string | undefined; publicUrl: string | undefined }

/** Whether an Origin is the public address, or where that is not set, the host that the request was sent to. */
export function isOwnOrigin({ origin, host, publicUrl }: Asked) {
  const parsed = URL.parse(origin)
  if (!parsed) return false
  if (publicUrl && parsed.origin === URL.parse(publicUrl)?.origin) return true
  return !publicUrl && host !== undefined && parsed.host === host
}
