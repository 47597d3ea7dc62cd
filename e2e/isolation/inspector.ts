import { once } from 'node:events'
import { z } from 'zod'

const answer = z.object({ id: z.int(), result: z.record(z.string(), z.unknown()).default({}) })
const heapUsage = z.object({ usedSize: z.number(), backingStorageSize: z.number().default(0) })

/** Node's inspector of another process, to compare its memory after a collection: only memory still in use counts. */
export async function openInspector(url: string) {
  const socket = new WebSocket(url)
  const waiting = new Map<number, (result: Record<string, unknown>) => void>()
  socket.addEventListener('message', ({ data }) => {
    const parsed = answer.safeParse(JSON.parse(String(data)))
    if (!parsed.success) return
    waiting.get(parsed.data.id)?.(parsed.data.result)
    waiting.delete(parsed.data.id)
  })
  await once(socket, 'open')
  let count = 0
  return { heapBytes, close: () => socket.close() }

  async function heapBytes() {
    await ask('HeapProfiler.collectGarbage')
    const { usedSize, backingStorageSize } = heapUsage.parse(await ask('Runtime.getHeapUsage'))
    return usedSize + backingStorageSize
  }

  function ask(method: string) {
    count += 1
    const { promise, resolve } = Promise.withResolvers<Record<string, unknown>>()
    waiting.set(count, resolve)
    socket.send(JSON.stringify({ id: count, method }))
    return promise
  }
}
