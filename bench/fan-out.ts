import { io, type Socket } from 'socket.io-client'
import { z } from 'zod'
import { median, quantile } from './median.ts'
import type { Row } from './print-table.ts'

type Side = { url: string; headers?: Record<string, string>; path?: string; room?: string; event: string; save: Save }

/** Saves an item under this name; all sockets wait for its message. */
type Save = (name: string) => Promise<Response>

type MeasureFanOutInput = { sockets: number; saves: number; product: Side; bare: Side }

const item = z.looseObject({ name: z.string().optional(), site_name: z.string().optional() })

/** The time from the request of a save to its message at each socket: the median and the 99th percentile of all messages. */
export async function measureFanOut({ sockets, saves, product, bare }: MeasureFanOutInput): Promise<Row[]> {
  const sides = [await openAudience(product, sockets), await openAudience(bare, sockets)]
  const waits: number[][] = sides.map(() => [])
  for (const side of sides) await side.save('warm-up')
  for (let save = 0; save < saves; save += 1) {
    for (const [index, side] of sides.entries()) waits[index]?.push(...(await side.save(`Harbour shed ${save}`)))
  }
  for (const side of sides) side.close()
  const [own = [], others = []] = waits
  return [
    row(`save to ${sockets} sockets, p50`, { own: median(own), other: median(others) }),
    row(`save to ${sockets} sockets, p99`, { own: quantile(own, 0.99), other: quantile(others, 0.99), atMost: 2 }),
  ]
}

function row(name: string, { own, other, atMost }: { own: number; other: number; atMost?: number }): Row {
  return {
    name,
    product: `${own.toFixed(1)} ms`,
    bare: `${other.toFixed(1)} ms`,
    ratio: (own / other).toFixed(2),
    ...(atMost === undefined ? {} : { target: `<= ${atMost}`, isMet: own / other <= atMost }),
  }
}

const joined = z.object({ error: z.object({ code: z.string() }).optional() })
const patienceMs = 30_000

async function openAudience({ url, headers = {}, path, room, event, save }: Side, count: number) {
  const sockets = await Promise.all(Array.from({ length: count }, () => openSocket({ url, headers, path, room })))
  return {
    /** Returns the milliseconds that each socket waited. */
    async save(name: string) {
      const received = Promise.all(sockets.map((socket) => nextMessage(socket, { event, name })))
      const began = performance.now()
      const saved = await save(name)
      if (!saved.ok) throw new Error(`A save was answered with ${saved.status}: ${await saved.text()}`)
      await saved.text()
      return (await received).map((at) => at - began)
    },
    close() {
      for (const socket of sockets) socket.close()
    },
  }
}

type Opening = { url: string; headers: Record<string, string>; path: string | undefined; room: string | undefined }

async function openSocket({ url, headers, path, room }: Opening) {
  const socket = io(url, {
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    extraHeaders: headers,
    ...(path === undefined ? {} : { path }),
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  socket.once('connect', resolve)
  socket.once('connect_error', reject)
  await promise
  if (room === undefined) return socket
  const { error } = joined.parse(await socket.timeout(patienceMs).emitWithAck('join', room))
  if (error) throw new Error(`The room ${room} was refused: ${error.code}.`)
  return socket
}

function nextMessage(socket: Socket, { event, name }: { event: string; name: string }) {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const giveUp = setTimeout(() => reject(new Error(`A socket did not receive "${name}".`)), patienceMs)
  const listen = (body: unknown) => {
    const savedItem = item.parse(body)
    if ((savedItem.name ?? savedItem.site_name) !== name) return
    clearTimeout(giveUp)
    socket.off(event, listen)
    resolve(performance.now())
  }
  socket.on(event, listen)
  return promise
}
