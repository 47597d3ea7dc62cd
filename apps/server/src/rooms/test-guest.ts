import { io } from 'socket.io-client'
import { z } from 'zod'

type Heard = { event: string; body: { _id: string } & Record<string, unknown> }

const body = z.looseObject({ _id: z.string() })
const settled = z.object({ ok: z.boolean().optional(), error: z.object({ code: z.string() }).optional() })

/** A socket of the real-time channel, with everything that it has heard. Fails where the server refuses it. */
export async function connectGuest({ url, headers }: { url: string; headers: Record<string, string> }) {
  const heard: Heard[] = []
  const notices: [string, unknown][] = []
  const socket = io(url, {
    path: '/primus',
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    extraHeaders: headers,
  })
  socket.onAny((event: string, said: unknown) => {
    if (event.includes(':')) heard.push({ event, body: body.parse(said) })
    else notices.push([event, said])
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('connect_error', reject)
  })
  const tell = async (verb: 'join' | 'leave', room: unknown) => {
    const answer = settled.parse(await socket.timeout(10_000).emitWithAck(verb, room))
    return answer.error?.code ?? 'ok'
  }
  return {
    heard,
    /** What the server said besides what happened to items. */
    notices,
    isConnected: () => socket.connected,
    join: (room: unknown) => tell('join', room),
    leave: (room: unknown) => tell('leave', room),
    send: (event: string, payload: unknown) => void socket.emit(event, payload),
    close: () => void socket.close(),
    /** What was heard of this item, as `entity:verb`. */
    of: (id: string) => heard.filter((message) => message.body._id === id).map(({ event }) => event),
  }
}
