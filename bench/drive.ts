import { connect } from 'node:net'

export type Request = { method?: string; path: string; headers?: Record<string, string>; body?: unknown }
type Answer = { status: number; body: string }

type Driving = {
  url: string
  connections: number
  forMs: number
  next: () => Request
  /** Checks the first answer of each connection; of all later answers only the status is checked. */
  check: (body: unknown) => void
}

/**
 * Sends requests over keep-alive connections, each when the previous one was answered, and returns the number of answers a
 * second. It uses plain sockets, because on two cores the generator's own work would distort the result.
 */
export async function drive({ url, connections, forMs, next, check }: Driving) {
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(url)))
  const isChecked = open.map(() => false)
  const rate = await closedLoop({
    connections,
    forMs,
    once: async (index) => {
      const request = next()
      const { status, body } = (await open[index]?.send(request)) ?? { status: 0, body: '' }
      if (status < 200 || status > 299) throw new Error(`${request.path} was answered with ${status}: ${body}`)
      if (isChecked[index]) return
      check(JSON.parse(body))
      isChecked[index] = true
    },
  })
  for (const connection of open) connection.close()
  return rate
}

type Loop = { connections: number; forMs: number; once: (index: number) => Promise<void> }

/** Runs one worker per connection, each starting again when it has ended; returns the runs a second. */
export async function closedLoop({ connections, forMs, once }: Loop) {
  const began = performance.now()
  const counts = await Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      let count = 0
      do {
        await once(index)
        count += 1
      } while (performance.now() - began < forMs)
      return count
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - began) / 1_000)
}

/** One connection with one request at a time. It reads answers with a Content-Length, as both servers send them. */
async function openConnection(url: string) {
  const { hostname, port, host } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  let received: Buffer = Buffer.alloc(0)
  let expectedLength = Number.POSITIVE_INFINITY
  let waiting: PromiseWithResolvers<Answer> | undefined
  let path = ''
  const opened = Promise.withResolvers<void>()
  socket.once('connect', () => opened.resolve())
  socket.once('error', (error) => (opened.reject(error), waiting?.reject(error)))
  socket.once('close', () =>
    waiting?.reject(new Error(`The server closed the connection instead of answering ${path}.`)),
  )
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const head = received.indexOf('\r\n\r\n')
    if (head < 0) return
    if (expectedLength === Number.POSITIVE_INFINITY)
      expectedLength = head + 4 + lengthIn(received.toString('latin1', 0, head))
    if (received.length < expectedLength) return
    const answer = { status: Number(received.toString('latin1', 9, 12)), body: received.toString('utf8', head + 4) }
    received = Buffer.alloc(0)
    expectedLength = Number.POSITIVE_INFINITY
    waiting?.resolve(answer)
  })
  await opened.promise

  return {
    send({ method = 'GET', headers = {}, body, ...request }: Request) {
      path = request.path
      waiting = Promise.withResolvers<Answer>()
      const text = body === undefined ? '' : JSON.stringify(body)
      const content = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }
      const all = Object.entries({ host, ...headers, ...(body === undefined ? {} : content) })
      const lines = all.map(([name, value]) => `${name}: ${value}\r\n`).join('')
      socket.write(`${method} ${path} HTTP/1.1\r\n${lines}\r\n${text}`)
      return waiting.promise
    },
    close: () => void socket.end(),
  }
}

function lengthIn(head: string) {
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(head) ?? []
  if (length === undefined) throw new Error(`The answer has no Content-Length:\n${head}`)
  return Number(length)
}
