import { readConfig } from '@portcullis/server/config'
import { ownUrl } from '@portcullis/server/http/own-url'
import { startServer } from '@portcullis/server/start-server'
import { demonstration } from '../apps/demonstration/src/demonstration.ts'
import { type Order, order, type Outcome } from './server-host-messages.ts'

/** The servers of one worker, in one process: modules are loaded once, and each server starts as with `npm start`. */
const running = new Map<number, Awaited<ReturnType<typeof startServer>>>()

process.on('message', (message) => void answer(order.parse(message)))
process.once('disconnect', () => process.exit())

async function answer(received: Order) {
  const { id } = received
  try {
    send({ id, isDone: true, url: received.what === 'start' ? await start(received) : await stop(id) })
  } catch (error) {
    send({ id, isDone: false, reason: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
}

async function start({ id, environment }: { id: number; environment: Record<string, string> }) {
  const config = readConfig({ PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'error', ...environment })
  const server = await startServer(config, () => {}, demonstration)
  running.set(id, server)
  return ownUrl({ publicUrl: undefined, address: server.app.server.address() })
}

async function stop(id: number) {
  await running.get(id)?.stop()
  running.delete(id)
  return ''
}

function send(outcome: Outcome) {
  process.send?.(outcome)
}
