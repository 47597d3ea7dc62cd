import { connect, createServer, type Socket } from 'node:net'
import { z } from 'zod'

/** A proxy to the product that can be shut temporarily: this cuts open connections and refuses new ones. */
export async function openGate(to: string) {
  const { hostname, port } = new URL(to)
  const sockets = new Set<Socket>()
  let isShut = false
  const gate = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    if (isShut) near.destroy()
    else near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve))
  const place = z.object({ port: z.int() }).parse(gate.address())
  return {
    url: `http://127.0.0.1:${place.port}`,
    shut() {
      isShut = true
      for (const socket of sockets) socket.destroy()
    },
    open() {
      isShut = false
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => gate.close(resolve))
    },
  }
}
