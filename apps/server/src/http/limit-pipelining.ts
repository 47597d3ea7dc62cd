import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { openRequestsOf } from './open-requests.ts'

/** Requests of one connection that are not answered yet. Browsers send one at a time, proxies a few. */
const maxUnanswered = 16

/**
 * Ends a connection that sends request after request without waiting for answers: Node would begin all of them, thousands for
 * each packet, and keep their answers for a client that never reads. It parses the rest of a packet even for a socket that was
 * destroyed, so the parser is stopped too, before any listener sees the request.
 */
export function limitPipelining(server: Server) {
  server.on('connection', (socket: Socket) => {
    const { parser } = parsed(socket)
    const { onIncoming } = parser
    parser.onIncoming = (request, shouldKeepAlive) => {
      if (openRequestsOf(socket) < maxUnanswered) return onIncoming(request, shouldKeepAlive)
      socket.destroy()
      request.upgrade = false
      return stopParsing
    }
  })
}

/** What Node's parser takes as the beginning of another protocol. */
const stopParsing = 2

/** What Node calls for each request, and the result that decides how its parser continues. */
type OnIncoming = (request: IncomingMessage & { upgrade?: boolean }, shouldKeepAlive: boolean) => number
type ParsedSocket = Socket & { parser: { onIncoming: OnIncoming } }

/** Node does not document its parser. */
function parsed(socket: Socket) {
  if (isParsed(socket)) return socket
  throw new Error('This version of Node parses requests in another way.')
}

function isParsed(socket: Socket): socket is ParsedSocket {
  const parser: unknown = Reflect.get(socket, 'parser')
  return typeof parser === 'object' && parser !== null && typeof Reflect.get(parser, 'onIncoming') === 'function'
}
