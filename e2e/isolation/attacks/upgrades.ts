import { setTimeout as delay } from 'node:timers/promises'
import { unitsPath } from '@portcullis/contract/unit-protocol/frames'
import { AnswerCounts, type Attack, attackMs, statusIn } from '../attack.ts'
import { answerTo, openRaw, repeatFor, requestText } from '../raw-request.ts'

const handshake = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}
const live = requestText({ path: '/health/live' })

export const upgradeAttacks: readonly Attack[] = [
  {
    name: 'upgrade to an unserved path, then a reset',
    sends: 'handshakes to /, /nothing and /units, each followed by a TCP reset, 20 at once',
    async run({ url }) {
      const paths = ['/', '/nothing', '/api/users/me', unitsPath, '/primus/?EIO=4&transport=websocket']
      const count = await repeatFor({ ms: attackMs, atOnce: 20 }, async (turn) => {
        const socket = openRaw(url)
        socket.write(requestText({ path: paths[turn % paths.length] ?? '/', headers: handshake }))
        await delay(turn % 3 === 0 ? 0 : 5)
        socket.resetAndDestroy()
      })
      return { happened: `${count} connections reset`, faults: [] }
    },
  },
  {
    name: 'ordinary request with an Upgrade header',
    sends: 'GET /health/live with Upgrade: h2c, 8 at once',
    async run({ url }) {
      const counts = new AnswerCounts()
      await repeatFor({ ms: attackMs, atOnce: 8 }, async () => {
        const headers = {
          connection: 'Upgrade, HTTP2-Settings',
          upgrade: 'h2c',
          'http2-settings': 'AAMAAABkAARAAAAAAAIAAAAA',
        }
        counts.add(statusIn(await answerTo(url, requestText({ path: '/health/live', headers }))))
      })
      return counts.outcome([200])
    },
  },
  {
    name: 'requests pipelined in front of an upgrade',
    sends: '50 requests and a handshake in one packet, 8 at once, half of them reset',
    async run({ url }) {
      const counts = new AnswerCounts()
      await repeatFor({ ms: attackMs, atOnce: 8 }, async (turn) => {
        const text = live.repeat(50) + requestText({ path: turn % 2 ? unitsPath : '/nothing', headers: handshake })
        if (turn % 4 < 2) {
          counts.add(statusIn(await answerTo(url, text)))
          return
        }
        const socket = openRaw(url)
        socket.write(text)
        await delay(2)
        socket.resetAndDestroy()
        counts.add('reset by us')
      })
      return counts.outcome([200, 400, 404, 'closed', 'reset by us'])
    },
  },
]
