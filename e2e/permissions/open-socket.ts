import { resume } from '@portcullis/contract/rooms'
import { io } from 'socket.io-client'
import { z } from 'zod'

/** How somebody comes to the real-time channel. */
export type Coming = {
  headers: Record<string, string>
  query?: Record<string, string>
  auth?: Record<string, unknown>
  namespace?: string
  transport?: 'websocket' | 'polling'
}

/** Something that was heard: the event, and everything that came with it. */
export type Word = { event: string; said: unknown[] }
export type OpenSocket = Extract<Awaited<ReturnType<typeof openSocket>>, { isIn: true }>

/** Comes in as said, or is told that they don't; nothing that the server says is left out. */
export async function openSocket(url: string, { headers, query, auth, namespace = '', transport }: Coming) {
  const heard: Word[] = []
  const socket = io(`${url}${namespace}`, {
    path: '/primus',
    transports: [transport ?? 'websocket'],
    reconnection: false,
    forceNew: true,
    extraHeaders: headers,
    ...(query ? { query } : {}),
    ...(auth ? { auth } : {}),
  })
  socket.onAny((event: string, ...said: unknown[]) => void heard.push({ event, said }))
  const outcome = await new Promise<Error | 'in'>((resolve) => {
    socket.once('connect', () => resolve('in'))
    socket.once('connect_error', resolve)
  })
  if (outcome !== 'in') {
    socket.close()
    return { isIn: false as const, why: outcome.message }
  }
  const ask = (event: string, asked: unknown): Promise<unknown> => socket.timeout(120_000).emitWithAck(event, asked)
  return {
    isIn: true as const,
    heard,
    ask,
    join: (room: unknown) => ask('join', room),
    leave: (room: unknown) => ask('leave', room),
    /** What each of the rooms is answered, as it stands in the answer. */
    async resume(rooms: readonly unknown[], since: string | null) {
      const asked = { since, rooms: rooms.map((room) => ({ room, sight: null })) }
      const answer = await ask(resume.event, asked)
      const { data } = resumed.safeParse(answer)
      if (!data) throw new Error(`the rooms were not resumed: ${JSON.stringify(answer)}`)
      return data
    },
    send: (event: string, ...said: unknown[]) => void socket.emit(event, ...said),
    close: () => void socket.close(),
  }
}

const resumed = z.strictObject({
  ok: z.literal(true),
  position: z.string(),
  rooms: z.array(z.record(z.string(), z.unknown())),
})
