import { Agent, get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { figuresOf, type Probed } from './live-figures.ts'

/**
 * Requests `/health/live` and the bare server in turn, over one connection each. It is a separate process, so that the
 * attackers' work does not delay its clock. Starts at the message `start`, and answers `stop` with the figures.
 */
const [liveUrl = '', bareUrl = ''] = process.argv.slice(2)
const everyMs = 10
const patienceMs = 10_000
const agent = new Agent({ keepAlive: true })
const order = z.enum(['start', 'stop'])

let times: { live: number[]; bare: number[] } = { live: [], bare: [] }
let failed = 0
let isRunning = false

process.on('message', (message) => {
  if (order.parse(message) === 'start') {
    times = { live: [], bare: [] }
    failed = 0
    isRunning = true
    return
  }
  isRunning = false
  const answer: Probed = { live: figuresOf(times.live), bare: figuresOf(times.bare), failed }
  process.send?.(answer)
})
process.once('disconnect', () => process.exit())
await Promise.all([ask('live', `${liveUrl}/health/live`), ask('bare', bareUrl)])

async function ask(which: 'live' | 'bare', url: string) {
  for (;;) {
    const since = performance.now()
    const isAnswered = await answers(url)
    if (isRunning) {
      times[which].push(performance.now() - since)
      if (!isAnswered && which === 'live') failed += 1
    }
    await delay(everyMs)
  }
}

function answers(url: string) {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const request = get(url, { agent, timeout: patienceMs }, (response) => {
    response.resume()
    response.once('end', () => resolve(response.statusCode === 200))
  })
  request.once('timeout', () => request.destroy())
  request.once('error', () => resolve(false))
  return promise
}
