import { gzipSync } from 'node:zlib'
import { v7 as uuidv7 } from 'uuid'
import { AnswerCounts, type Attack, attackMs, statusIn } from '../attack.ts'
import { answerTo, repeatFor, requestText } from '../raw-request.ts'
import { request } from '../request.ts'

const login = '/api/auth/login'
const brackets = '['.repeat(1_000_000)
const refused = [400, 401, 404, 413, 415, 429, 431]

/** Bodies just below and at the limit of calls that need no session. */
const loginBodies = [24, 48, 64].flatMap((kilobytes) => {
  const size = kilobytes * 1_000
  return [
    `{${Array.from({ length: Math.floor(size / 12) }, (_, index) => `"k${index}":1`).join(',')}}`,
    '['.repeat(size / 2) + ']'.repeat(size / 2),
    '{"a":'.repeat(size / 6),
    `{"email":"${'x'.repeat(size - 40)}","password":"y"}`,
    `{"email":"a@b.example","password":"${'\\u0061'.repeat((size - 60) / 6)}"}`,
  ]
})

export const bodyAttacks: readonly Attack[] = [
  {
    name: '1 MB of brackets before sign-in',
    sends: 'to served and unserved calls, 8 at once',
    run: async ({ url }) => {
      const paths = [login, '/api/sites', '/api/nothing', '/api/users/me']
      const counts = new AnswerCounts()
      await repeatFor({ ms: attackMs, atOnce: 8 }, async (turn) => {
        const headers = {
          'content-type': 'application/json',
          'content-length': `${brackets.length}`,
          'x-js-account': 'null',
        }
        const path = paths[turn % paths.length] ?? login
        counts.add(statusIn(await answerTo(url, requestText({ method: 'POST', path, headers, body: brackets }))))
      })
      return counts.outcome([...refused, 'closed'])
    },
  },
  {
    name: 'unknown keys, nesting and long strings at the sign-in',
    sends: 'POST /api/auth/login of 24 to 64 kB, 8 at once',
    run: async ({ url }) => {
      const counts = new AnswerCounts()
      await repeatFor({ ms: attackMs, atOnce: 8 }, async (turn) => {
        const body = loginBodies[turn % loginBodies.length]
        const { status, text } = await request({
          url,
          method: 'POST',
          path: login,
          headers: { 'x-js-account': 'null' },
          body,
        })
        counts.add(text.length > 16_000 ? `${status} with ${text.length} bytes` : status)
      })
      return counts.outcome(refused)
    },
  },
  {
    name: '10,000 query parameters',
    sends: 'GET of lists, with and without a session, 8 at once',
    run: async ({ url, ravine }) => {
      const query = Array.from({ length: 10_000 }, (_, index) => `p${index}=${index}`).join('&')
      const counts = new AnswerCounts()
      await repeatFor({ ms: attackMs, atOnce: 8 }, async (turn) => {
        const headers = { 'x-js-account': ravine.ref, ...(turn % 2 ? { cookie: ravine.admin.cookie } : {}) }
        const { status, text } = await request({ url, path: `/api/events?${query}`, headers })
        counts.add(text.length > 16_000 ? `${status} with ${text.length} bytes` : status)
      })
      return counts.outcome(refused)
    },
  },
  {
    name: '100,000 wrong ids in a members list',
    sends: 'POST /api/userGroups: wrong texts, and ids that do not exist, 4 at once',
    run: async ({ url, ravine }) => {
      const headers = { cookie: ravine.admin.cookie, 'x-js-account': ravine.ref }
      const missing = Array.from({ length: 25_000 }, () => uuidv7())
      const lists = [Array.from({ length: 100_000 }, () => 'no id'), missing, [...missing, 'no id']]
      const bodies = lists.map((members) => JSON.stringify({ name: 'Everybody', members }))
      const counts = new AnswerCounts()
      await repeatFor({ ms: attackMs, atOnce: 4 }, async (turn) => {
        const answer = await request({
          url,
          method: 'POST',
          path: '/api/userGroups',
          headers,
          body: bodies[turn % bodies.length],
        })
        counts.add(answer.text.length > 16_000 ? `${answer.status} with ${answer.text.length} bytes` : answer.status)
      })
      return counts.outcome([...refused, 422, 409, 503])
    },
  },
  {
    name: 'compressed bodies',
    sends: '10 MB of zeros as gzip, 8 at once, with and without a session',
    run: async ({ url, ravine }) => {
      const zipped = gzipSync(Buffer.alloc(10_000_000)).toString('latin1')
      const counts = new AnswerCounts()
      await repeatFor({ ms: attackMs, atOnce: 8 }, async (turn) => {
        const headers = {
          'content-type': 'application/json',
          'content-encoding': 'gzip',
          'content-length': `${Buffer.byteLength(zipped)}`,
          'x-js-account': ravine.ref,
          ...(turn % 2 ? { cookie: ravine.admin.cookie } : {}),
        }
        const path = turn % 2 ? '/api/sites' : login
        counts.add(statusIn(await answerTo(url, requestText({ method: 'POST', path, headers, body: zipped }))))
      })
      return counts.outcome([...refused, 'closed'])
    },
  },
  {
    name: 'Content-Length larger than the body',
    sends: '300 connections that declare 60 kB and send 1 kB',
    run: async ({ url, ravine }) => {
      const headers = {
        'content-type': 'application/json',
        'content-length': '60000',
        'x-js-account': ravine.ref,
        cookie: ravine.admin.cookie,
      }
      const text = requestText({ method: 'POST', path: '/api/sites', headers, body: '{"name":"'.padEnd(1_000, 'x') })
      const counts = new AnswerCounts()
      await Promise.all(
        Array.from({ length: 300 }, async () => counts.add(statusIn(await answerTo(url, text, attackMs)))),
      )
      return counts.outcome([400, 408, 'closed'])
    },
  },
]
