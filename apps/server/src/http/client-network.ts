import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import ipaddr from 'ipaddr.js'

/**
 * Reads the address of a client that connects through trusted proxies, for connections that Fastify does not see; by the
 * same library and with the same meaning of `TRUSTED_PROXIES` as `request.ip`.
 */
export function clientAddressReader(trustedProxies: readonly string[]) {
  const isTrusted = proxyAddr.compile([...trustedProxies])
  return (request: IncomingMessage) => {
    const address = proxyAddr(request, isTrusted)
    return ipaddr.isValid(address) ? ipaddr.process(address).toString() : (request.socket.remoteAddress ?? 'unknown')
  }
}

/** Reads the scheme of such a request, with the same meaning as `request.protocol`: trusted proxies know whether it was TLS. */
export function clientSchemeReader(trustedProxies: readonly string[]) {
  const isTrusted = proxyAddr.compile([...trustedProxies])
  return ({ socket, headers }: IncomingMessage) => {
    const { remoteAddress } = socket
    const forwarded = headers['x-forwarded-proto']?.toString().split(',').at(-1)?.trim()
    const isForwarded = forwarded !== undefined && remoteAddress !== undefined && isTrusted(remoteAddress, 0)
    return isForwarded ? forwarded : 'http'
  }
}

/** The network that limits count: an IPv4 address, or the /64 of an IPv6 address, which one customer usually has whole. */
export function networkOf(address: string) {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`
}
