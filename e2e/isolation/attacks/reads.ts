import { setTimeout as delay } from 'node:timers/promises'
import { AnswerCounts, type Attack, attackMs } from '../attack.ts'
import type { Party } from '../estate.ts'
import { openRaw, repeatFor, requestText } from '../raw-request.ts'
import { request } from '../request.ts'

const like = (text: string) => ({ type: { like: text } })
const manyLikes = { or: Array.from({ length: 190 }, (_, index) => like(`no such type ${index}`)) }

function nestedNot(depth: number): object {
  return depth === 0 ? like('granted') : { not: nestedNot(depth - 1) }
}

const filters = [
  manyLikes,
  nestedNot(7),
  nestedNot(200),
  { and: [manyLikes, nestedNot(3)] },
  { or: Array.from({ length: 5_000 }, () => ({})) },
]

const manyNumbers = { number: { in: Array.from({ length: 49_000 }, (_, index) => `N-${index}`) } }
const deepFilter = encodeURIComponent(`${'{"not":'.repeat(7_000)}{}${'}'.repeat(7_000)}`)

export const readAttacks: readonly Attack[] = [
  {
    name: 'expensive filters',
    sends: 'or of 190 like, deep not, over 60,000 events, 60 at once from one user',
    run: async ({ url, ravine }) => {
      const counts = new AnswerCounts()
      await repeatFor({ ms: 2 * attackMs, atOnce: 60 }, async (turn) => {
        const filter = encodeURIComponent(JSON.stringify(filters[turn % filters.length]))
        const { status } = await request({
          url,
          path: `/api/events?filter=${filter}&size=500`,
          headers: sessionOf(ravine),
        })
        counts.add(status)
      })
      return counts.outcome([200, 400, 429, 503])
    },
  },
  {
    name: '49,000 numbers in exports, and deep filters in URLs',
    sends: 'an App user and an administrator, to credentials, 2 at once',
    run: async ({ url, ravine }) => {
      const counts = new AnswerCounts()
      await repeatFor({ ms: attackMs, atOnce: 2 }, async (turn) => {
        const { cookie } = turn % 4 < 2 ? ravine.appUser : ravine.admin
        const headers = { cookie, 'x-js-account': ravine.ref }
        const sent =
          turn % 2
            ? { method: 'POST', path: '/api/credentials/export', body: { format: 'csv', filter: manyNumbers } }
            : { path: `/api/credentials?filter=${deepFilter}` }
        counts.add((await request({ url, headers, ...sent })).status)
      })
      return counts.outcome([400, 403, 429])
    },
  },
  {
    name: 'exports to slow readers',
    sends: '20 exports of 60,000 events, 1 kB read a second',
    run: async ({ url, ravine }) => {
      const counts = new AnswerCounts()
      const sockets = Array.from({ length: 20 }, (_, index) => {
        const socket = openRaw(url)
        socket.pause()
        socket.write(exportText(ravine, index))
        const reading = setInterval(() => {
          const chunk: unknown = socket.read(1_024) ?? socket.read()
          if (Buffer.isBuffer(chunk)) counts.add('kB read')
        }, 1_000)
        return { socket, reading }
      })
      await delay(2 * attackMs)
      for (const { socket, reading } of sockets) {
        clearInterval(reading)
        socket.destroy()
      }
      return { happened: counts.sentence(), faults: [] }
    },
  },
  {
    name: 'connections reset in the middle of exports',
    sends: 'exports as csv, json and xlsx, each reset at its first bytes, 6 at once',
    run: async ({ url, ravine }) => {
      const counts = new AnswerCounts()
      await repeatFor({ ms: attackMs, atOnce: 6 }, async (turn) => {
        const socket = openRaw(url)
        const { promise, resolve } = Promise.withResolvers<void>()
        socket.once('data', (data) => {
          counts.add(data.toString('latin1').slice(9, 12))
          resolve()
        })
        socket.once('close', () => resolve())
        socket.write(exportText(ravine, turn))
        await promise
        await delay(turn % 20)
        socket.resetAndDestroy()
      })
      return counts.outcome([200, 429])
    },
  },
]

function exportText(party: Party, turn: number) {
  const body = JSON.stringify({ format: ['csv', 'json', 'xlsx'][turn % 3] })
  const headers = { ...sessionOf(party), 'content-type': 'application/json', 'content-length': `${body.length}` }
  return requestText({ method: 'POST', path: '/api/events/export', headers, body })
}

function sessionOf({ admin, ref }: Party) {
  return { cookie: admin.cookie, 'x-js-account': ref }
}
