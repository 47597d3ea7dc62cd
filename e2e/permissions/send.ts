import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { unzip } from '@portcullis/server/exports/test-workbook'

export type SendInput = {
  method: string
  path: string
  /** As sent on the wire: a name may occur twice. */
  headers: readonly (readonly [string, string])[]
  body?: unknown
}

export type Answer = { status: number; headers: Record<string, string>; text: string }
export type Send = (input: SendInput) => Promise<Answer>

const [busyPauseMs, maxBusyAnswers] = [100, 3_000]

/**
 * Sends requests over real sockets with headers exactly as given, and returns workbooks as the texts inside them. Repeats a
 * request while the server is busy with other exports (429), because that answer is not judged or compared.
 */
export function makeSend(url: string): { send: Send; close: () => void } {
  const { hostname, port, host } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  return { send, close: () => agent.destroy() }

  async function send(input: SendInput) {
    for (let busyAnswers = 0; busyAnswers < maxBusyAnswers; busyAnswers += 1) {
      const answer = await sendOnce(input)
      if (answer.status !== 429) return answer
      await delay(busyPauseMs)
    }
    throw new Error(`${input.method} ${input.path}: the server was busy ${maxBusyAnswers} times in a row`)
  }

  function sendOnce({ method, path, headers, body }: SendInput) {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
    const about = bytes === undefined ? [] : [['content-type', 'application/json'] as const]
    const lines = [['host', host], ...headers, ...about, ['content-length', String(bytes?.length ?? 0)]]
    const outgoing = request({ agent, hostname, port, method, path, headers: lines.flat() }, (incoming) => {
      const parts: Buffer[] = []
      incoming.on('data', (part: Buffer) => parts.push(part))
      incoming.on('error', reject)
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])),
          text: textOf(Buffer.concat(parts), incoming.headers['content-type']),
        }),
      )
    })
    outgoing.on('error', reject)
    outgoing.end(bytes)
    return promise
  }
}

function textOf(bytes: Buffer, type = '') {
  return type.includes('spreadsheetml') ? [...unzip(bytes).values()].join('\n') : bytes.toString('utf8')
}
