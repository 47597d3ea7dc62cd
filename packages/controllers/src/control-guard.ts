import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type Reply, refusal } from './control-reply.ts'

/**
 * Refuses requests that other web sites make in the browser of this machine: under a host name that resolves to the
 * loopback (DNS rebinding), or from a page of another origin.
 */
export function refusalOfOtherSites({ headers, socket }: IncomingMessage): Reply | undefined {
  const { localPort } = socket
  const own = [`127.0.0.1:${localPort}`, `localhost:${localPort}`]
  const { host = '', origin } = headers
  if (!own.includes(host)) return refusal(403, `Use the address http://${own[0]} of the virtual controllers.`)
  if (origin === undefined || origin === `http://${host}`) return undefined
  return refusal(403, 'Requests of other web sites are refused.')
}

export function refusalWithoutToken({ headers }: IncomingMessage, token: string): Reply | undefined {
  const given = Buffer.from(headers.authorization ?? '')
  const expected = Buffer.from(`Bearer ${token}`)
  if (given.length === expected.length && timingSafeEqual(given, expected)) return undefined
  return refusal(401, 'The token is missing or wrong. Use the one in control.json.')
}
