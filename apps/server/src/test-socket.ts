import { messageMeta, resume } from '@portcullis/contract/rooms'
import { io } from 'socket.io-client'
import { z } from 'zod'

type ReceivedMessage = { event: string; body: { _id: string } & Record<string, unknown> }

const body = z.looseObject({ _id: z.string() })
const settled = z.object({ ok: z.boolean().optional(), error: z.object({ code: z.string() }).optional() })
const resumed = z.object({
  position: z.string(),
  rooms: z.array(z.looseObject({ scope: z.string().default('') })),
})

/** Only ends tests that hang. */
const timeoutMs = 120_000

/** A socket of the real-time channel that records everything it receives. Rejects if the server refuses it. */
export async function connectTestSocket({ url, headers }: { url: string; headers: Record<string, string> }) {
  const received: ReceivedMessage[] = []
  const positions: string[] = []
  const notices: [string, unknown][] = []
  const socket = io(url, {
    path: '/primus',
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    extraHeaders: headers,
    timeout: timeoutMs,
  })
  socket.onAny((event: string, message: unknown, meta: unknown) => {
    if (!event.includes(':')) return void notices.push([event, message])
    received.push({ event, body: body.parse(message) })
    positions.push(messageMeta.parse(meta).position)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('connect_error', reject)
  })
  const ask = (event: string, payload: unknown): Promise<unknown> =>
    socket.timeout(timeoutMs).emitWithAck(event, payload)
  const request = async (verb: 'join' | 'leave', room: unknown) =>
    settled.parse(await ask(verb, room)).error?.code ?? 'ok'
  return {
    received,
    /** The position of each message. */
    positions,
    /** Messages other than changes of items. */
    notices,
    ask,
    isConnected: () => socket.connected,
    join: (room: unknown) => request('join', room),
    leave: (room: unknown) => request('leave', room),
    resume: async (payload: unknown) => resumed.parse(await ask(resume.event, payload)),
    send: (event: string, payload: unknown) => void socket.emit(event, payload),
    close: () => void socket.close(),
    /** The messages about this item, as `entity:verb`. */
    of: (id: string) => received.filter((message) => message.body._id === id).map(({ event }) => event),
  }
}
