import { setTimeout as delay } from 'node:timers/promises'
import { roomName, roomsPath } from '@portcullis/contract/rooms'
import { io } from 'socket.io-client'
import { AnswerCounts, type Attack, attackMs } from '../attack.ts'
import { repeatFor } from '../raw-request.ts'
import { request } from '../request.ts'

export const floodAttacks: readonly Attack[] = [
  {
    name: 'sign-in flood',
    sends: 'wrong passwords at 200/s, for users that exist and for others',
    run: async ({ url, ravine }) => {
      const counts = new AnswerCounts()
      const answers: Promise<void>[] = []
      const end = performance.now() + 2 * attackMs
      for (let turn = 0; performance.now() < end; turn += 1) {
        const email = turn % 2 ? ravine.admin.email : `nobody-${turn}@ravine.example`
        const body = { email, password: `wrong ${turn}`, type: 'Local' }
        const response = request({
          url,
          method: 'POST',
          path: '/api/auth/login',
          headers: { 'x-js-account': 'null' },
          body,
        })
        answers.push(response.then(({ status }) => counts.add(status)))
        await delay(5)
      }
      await Promise.all(answers)
      return counts.outcome([400, 401, 403, 429, 503])
    },
  },
  {
    name: 'changes of the policy without a pause',
    sends: 'an administrator saves doors as fast as each save is answered, 4 at once',
    run: async ({ url, ravine }) => {
      const counts = new AnswerCounts()
      const headers = { cookie: ravine.admin.cookie, 'x-js-account': ravine.ref }
      await repeatFor({ ms: 2 * attackMs, atOnce: 4 }, async (turn) => {
        const body = { relockAfterSeconds: 5 + (turn % 500) }
        const { status } = await request({ url, method: 'PATCH', path: `/api/doors/${ravine.door}`, headers, body })
        counts.add(status)
      })
      return counts.outcome([200, 429, 503])
    },
  },
  {
    name: 'flood of real-time joins and messages',
    sends: '20 sockets of one user, each joining and leaving as fast as it can, and sending garbage of 60 kB',
    run: async ({ url, ravine }) => {
      const counts = new AnswerCounts()
      const name = roomName({ entity: 'event', accountRef: ravine.ref, item: '*' })
      const sockets = Array.from({ length: 20 }, () => {
        const socket = io(url, {
          path: roomsPath,
          transports: ['websocket'],
          forceNew: true,
          reconnectionDelay: 100,
          extraHeaders: { cookie: ravine.admin.cookie },
        })
        socket.on('disconnect', () => counts.add('disconnected by the server'))
        return socket
      })
      const end = performance.now() + 2 * attackMs
      while (performance.now() < end) {
        for (const socket of sockets) {
          if (!socket.connected) continue
          for (let count = 0; count < 20; count += 1)
            socket.emit(count % 2 ? 'leave' : 'join', count % 3 ? name : { no: 'room' }, () => counts.add('answered'))
          socket.emit('resume', 'x'.repeat(60_000))
        }
        await delay(10)
      }
      for (const socket of sockets) socket.close()
      return { happened: counts.sentence(), faults: [] }
    },
  },
]
