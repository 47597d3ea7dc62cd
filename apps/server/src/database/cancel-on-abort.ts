import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import type pg from 'pg'
import { z } from 'zod'

/** A cancel that arrives before its statement does nothing, so it is repeated. */
const againMs = 250
const patienceMs = 5_000

/**
 * Cancels what runs on a connection when a signal aborts. The request carries the secret of this connection, so it
 * hits no other. Once `end` has resolved, no cancel is on its way that could hit a later statement.
 */
export function cancelOnAbort(client: pg.PoolClient, signal: AbortSignal | undefined) {
  const ending = new AbortController()
  let cancelling: Promise<void> | undefined
  const onAbort = () => {
    cancelling ??= cancelUntil(ending.signal, client)
  }
  signal?.addEventListener('abort', onAbort)
  return {
    async end() {
      signal?.removeEventListener('abort', onAbort)
      ending.abort()
      await cancelling
    },
  }
}

async function cancelUntil(ended: AbortSignal, client: pg.PoolClient) {
  while (!ended.aborted) {
    await sendCancel(client).catch(() => {})
    await delay(againMs, undefined, { signal: ended }).catch(() => {})
  }
}

const target = z.object({
  host: z.string(),
  port: z.coerce.number(),
  ssl: z.union([z.boolean(), z.looseObject({})]).nullish(),
  processID: z.int(),
  secretKey: z.int(),
})

/** Resolves when PostgreSQL has closed the connection of the request: by then it has passed on the signal. */
async function sendCancel(client: pg.PoolClient) {
  const { host, port, ssl, processID, secretKey } = target.parse(client)
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
  const stream = ssl ? await encrypted(socket, { host, ...(ssl === true ? {} : ssl) }) : socket
  try {
    stream.on('error', () => {})
    stream.resume()
    stream.write(message([16, 80_877_102, processID, secretKey]))
    await once(stream, 'close', { signal: AbortSignal.timeout(patienceMs) })
  } finally {
    stream.destroy()
  }
}

async function encrypted(socket: Socket, options: { host: string }) {
  socket.on('error', () => {})
  socket.write(message([8, 80_877_103]))
  const answer = z.tuple([z.instanceof(Buffer)])
  try {
    const [byte] = answer.parse(await once(socket, 'data', { signal: AbortSignal.timeout(patienceMs) }))
    if (byte.toString() !== 'S') throw new Error('The database offers no TLS for the cancel of a statement.')
  } catch (error) {
    socket.destroy()
    throw error
  }
  return connectTls({ socket, servername: options.host, ...options })
}

/** Whole numbers of 32 bits: the length, the code of the request, and its parameters. */
function message(numbers: number[]) {
  const bytes = Buffer.alloc(numbers.length * 4)
  for (const [index, number] of numbers.entries()) bytes.writeInt32BE(number | 0, index * 4)
  return bytes
}
