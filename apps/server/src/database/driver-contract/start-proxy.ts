import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * A proxy in front of the database that records the client's messages, and can cut a connection in the middle of an
 * answer.
 */
export async function startProxy(databaseUrl: string) {
  const { hostname, port } = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let sent: Buffer[] = []
  let answerBytesLeft = Number.POSITIVE_INFINITY

  const server = createServer((near) => {
    const far = connect({ host: hostname, port: Number(port) })
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
    }
    near.on('data', (data) => {
      sent.push(bytesOf(data))
      far.write(data)
    })
    far.on('data', (data) => {
      if (answerBytesLeft <= 0) return
      const part = bytesOf(data).subarray(0, answerBytesLeft)
      answerBytesLeft -= part.length
      if (answerBytesLeft > 0) near.write(part)
      else near.end(part)
    })
    near.on('close', () => far.destroy())
    far.on('close', () => near.end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${portOf(server.address())}`

  return {
    url: url.href,
    /** The types of the messages sent since the last call, one letter each. */
    takeMessages() {
      const types = messageTypes(Buffer.concat(sent))
      sent = []
      return types
    },
    cutAfterAnswerBytes(count: number) {
      answerBytesLeft = count
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Each message is its type, its length without the type, and its content. */
function messageTypes(bytes: Buffer) {
  let types = ''
  for (let at = 0; at < bytes.length; at += 1 + bytes.readUInt32BE(at + 1)) types += String.fromCharCode(bytes[at] ?? 0)
  return types
}

function bytesOf(data: Buffer | string) {
  return typeof data === 'string' ? Buffer.from(data) : data
}

function portOf(address: AddressInfo | string | null) {
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.')
  return address.port
}
