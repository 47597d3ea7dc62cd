import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { type Order, outcome } from './server-host-messages.ts'

let host: ChildProcess | undefined
let lastId = 0

/** Starts a server in this worker's host process, which runs as long as the worker. */
export async function startHostedServer(environment: Record<string, string>) {
  lastId += 1
  const id = lastId
  const url = await ask({ what: 'start', id, environment })
  return {
    url,
    async stop() {
      await ask({ what: 'stop', id })
    },
  }
}

async function ask(order: Order) {
  const child = (host ??= forked())
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const listen = (message: unknown) => {
    const received = outcome.parse(message)
    if (received.id !== order.id) return
    if (received.isDone) resolve(received.url)
    else reject(new Error(`The server could not ${order.what}: ${received.reason}`))
  }
  const end = (code: number | null) => reject(new Error(`The server host ended with ${code}.`))
  child.on('message', listen)
  child.once('exit', end)
  child.send(order)
  return promise.finally(() => {
    child.off('message', listen)
    child.off('exit', end)
  })
}

function forked() {
  const child = fork(join(import.meta.dirname, 'server-host.ts'), {
    execArgv: [],
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  // Unreferenced, so that the host process does not keep the worker running after its journeys.
  child.unref()
  child.channel?.unref()
  child.once('exit', () => (host = undefined))
  return child
}
