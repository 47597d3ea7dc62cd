import { resume } from '@portcullis/contract/rooms'
import { io } from 'socket.io-client'
import { z } from 'zod'

/** How a client connects to the real-time channel. */
export type ConnectionInput = {
  headers: Record<string, string>
  query?: Record<string, string>
  auth?: Record<string, unknown>
  namespace?: string
  transport?: 'websocket' | 'polling'
}

/** A received event with its arguments. */
export type ReceivedMessage = { event: string; args: unknown[] }
export type OpenSocket = Extract<Awaited<ReturnType<typeof openSocket>>, { isConnected: true }>

/** Connects as described, or returns the reason for the refusal; `received` collects all messages from the server. */
export async function openSocket(url: string, { headers, query, auth, namespace = '', transport }: ConnectionInput) {
  const received: ReceivedMessage[] = []
  const socket = io(`${url}${namespace}`, {
    path: '/primus',
    transports: [transport ?? 'websocket'],
    reconnection: false,
    forceNew: true,
    extraHeaders: headers,
    ...(query ? { query } : {}),
    ...(auth ? { auth } : {}),
  })
  socket.onAny((event: string, ...args: unknown[]) => void received.push({ event, args }))
  const outcome = await new Promise<Error | 'in'>((resolve) => {
    socket.once('connect', () => resolve('in'))
    socket.once('connect_error', resolve)
  })
  if (outcome !== 'in') {
    socket.close()
    return { isConnected: false as const, why: outcome.message }
  }
  const ask = (event: string, input: unknown): Promise<unknown> => socket.timeout(120_000).emitWithAck(event, input)
  return {
    isConnected: true as const,
    received,
    ask,
    join: (room: unknown) => ask('join', room),
    leave: (room: unknown) => ask('leave', room),
    /** Returns the position and the answer for each room, as in the response. */
    async resume(rooms: readonly unknown[], since: string | null) {
      const input = { since, rooms: rooms.map((room) => ({ room, scope: null })) }
      const answer = await ask(resume.event, input)
      const { data } = resumed.safeParse(answer)
      if (!data) throw new Error(`the rooms were not resumed: ${JSON.stringify(answer)}`)
      return data
    },
    send: (event: string, ...args: unknown[]) => void socket.emit(event, ...args),
    close: () => void socket.close(),
  }
}

const resumed = z.strictObject({
  ok: z.literal(true),
  position: z.string(),
  rooms: z.array(z.record(z.string(), z.unknown())),
})
