import { messageMeta, resume } from '@portcullis/contract/rooms'
import { io } from 'socket.io-client'
import { z } from 'zod'

type Heard = { event: string; body: { _id: string } & Record<string, unknown> }

const body = z.looseObject({ _id: z.string() })
const settled = z.object({ ok: z.boolean().optional(), error: z.object({ code: z.string() }).optional() })
const resumed = z.object({
  position: z.string(),
  rooms: z.array(z.looseObject({ sight: z.string().default('') })),
})

/** Only ends a test that hangs. */
const patienceMs = 120_000

/** A socket of the real-time channel, with everything that it has heard. Fails where the server refuses it. */
export async function connectGuest({ url, headers }: { url: string; headers: Record<string, string> }) {
  const heard: Heard[] = []
  const positions: string[] = []
  const notices: [string, unknown][] = []
  const socket = io(url, {
    path: '/primus',
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    extraHeaders: headers,
    timeout: patienceMs,
  })
  socket.onAny((event: string, said: unknown, about: unknown) => {
    if (!event.includes(':')) return void notices.push([event, said])
    heard.push({ event, body: body.parse(said) })
    positions.push(messageMeta.parse(about).position)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('connect_error', reject)
  })
  const ask = (event: string, asked: unknown): Promise<unknown> => socket.timeout(patienceMs).emitWithAck(event, asked)
  const tell = async (verb: 'join' | 'leave', room: unknown) => settled.parse(await ask(verb, room)).error?.code ?? 'ok'
  return {
    heard,
    /** Where each of the messages stood. */
    positions,
    /** What the server said besides what happened to items. */
    notices,
    ask,
    isConnected: () => socket.connected,
    join: (room: unknown) => tell('join', room),
    leave: (room: unknown) => tell('leave', room),
    resume: async (asked: unknown) => resumed.parse(await ask(resume.event, asked)),
    send: (event: string, payload: unknown) => void socket.emit(event, payload),
    close: () => void socket.close(),
    /** What was heard of this item, as `entity:verb`. */
    of: (id: string) => heard.filter((message) => message.body._id === id).map(({ event }) => event),
  }
}
