import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import ipaddr from 'ipaddr.js'

type Options = { trustedProxies: readonly string[]; unencryptedUnits: 'on' | 'off' }

/**
 * Decides which connections of units may carry enrolment codes and events: those that stay on this machine, and those for
 * which a trusted proxy reports TLS. `unencryptedUnits` allows all others too.
 */
export function unitConnectionPolicy({ trustedProxies, unencryptedUnits }: Options) {
  const isTrusted = proxyAddr.compile([...trustedProxies])
  return ({ socket, headers }: Pick<IncomingMessage, 'headers'> & { socket: Peer }) => {
    if (unencryptedUnits === 'on') return true
    const reported = headers['x-forwarded-proto']
    // A proxy on this machine may have received it from the network.
    if (reported !== undefined && isTrusted(socket.remoteAddress ?? '', 0)) return isReportedTls(reported)
    return isOnThisMachine(socket)
  }
}

type Peer = Pick<IncomingMessage['socket'], 'remoteAddress' | 'localAddress'>

function isOnThisMachine({ remoteAddress = '', localAddress }: Peer) {
  if (!ipaddr.isValid(remoteAddress)) return false
  return remoteAddress === localAddress || ipaddr.process(remoteAddress).range() === 'loopback'
}

/** Each of several proxies must report TLS, because the first values may come from the client. */
function isReportedTls(header: string | string[] | undefined) {
  const values = [header ?? []].flat().flatMap((value) => value.split(','))
  return values.length > 0 && values.every((value) => ['https', 'wss'].includes(value.trim().toLowerCase()))
}
