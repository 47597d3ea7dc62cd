import { once } from 'node:events'
import { subprotocol } from '@portcullis/contract/unit-protocol/frames'
import { WebSocket, WebSocketServer } from 'ws'
import { z } from 'zod'

type Frame = Readonly<Record<string, unknown>>
/** `answer` sends a frame back to the side that has sent this one. */
type Change = (frame: Frame, answer: (frame: Frame) => void) => Frame | readonly Frame[] | undefined

/** Changes frames on their way, into any number of them; undefined drops one. */
export type Tamper = { toServer?: Change; toUnit?: Change }

const frame = z.record(z.string(), z.unknown())

/** A network between a unit and its server that changes frames: a sound unit then appears as a faulty one. */
export async function tamperingProxy(target: string, { toServer, toUnit }: Tamper) {
  const proxy = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => subprotocol })
  await once(proxy, 'listening')
  const address = proxy.address()
  proxy.on('connection', (unit) => {
    const server = new WebSocket(target, subprotocol)
    const early: string[] = []
    pass(unit, (text) => (server.readyState === WebSocket.OPEN ? server.send(text) : early.push(text)), toServer)
    pass(server, (text) => unit.send(text), toUnit)
    server.on('open', () => early.forEach((text) => server.send(text)))
    unit.on('close', () => server.terminate())
    server.on('close', () => unit.terminate())
  })
  return {
    url: `ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    async close() {
      for (const client of proxy.clients) client.terminate()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}

function pass(from: WebSocket, to: (text: string) => unknown, change: Change = (same) => same) {
  from.on('error', () => {})
  from.on('message', (data) => {
    const text = Buffer.isBuffer(data) ? data.toString() : ''
    const changed = change(frame.parse(JSON.parse(text)), (answer) => from.send(JSON.stringify(answer)))
    for (const one of [changed ?? []].flat()) to(JSON.stringify(one))
  })
}
