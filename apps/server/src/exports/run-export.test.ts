import Fastify from 'fastify'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { AppError } from '../errors/app-error.ts'
import { makeRunExport } from './run-export.ts'

const app = Fastify()
const ended: string[] = []
afterAll(() => app.close())

async function* endless() {
  for (;;) yield 'x'.repeat(64 * 1024)
}

async function* short() {
  yield 'a file'
}

type ExportOf = {
  user: string
  account: number
  root?: number
  chunks?: AsyncIterable<string>
  demandUnchanged?: () => Promise<void>
}

function exporter(limits: { patience?: number; bytesPerMs?: number } = {}) {
  const run = makeRunExport(app, limits)
  return ({ user, account, root = account, chunks = endless(), demandUnchanged }: ExportOf) =>
    run({
      access: {
        person: { _id: user },
        account: { key: account, root },
        ...(demandUnchanged ? { demandUnchanged } : {}),
      },
      work: (send) => send(chunks),
      breakOff: async () => void ended.push(user),
    })
}

test('exports whose clients do not read end by themselves, and that of another account then begins', async () => {
  const start = exporter({ patience: 100, bytesPerMs: Infinity })
  const unread = ['ann', 'ben'].flatMap((user, account) => [
    ...[1, 2].map(() => start({ user, account })),
    ...[1, 2].map(() => start({ user: `${user}-2`, account })),
  ])
  await Promise.all(unread)
  expect(ended).toEqual([])
  const file = await start({ user: 'eve', account: 9, chunks: short() })
  await expect.poll(() => ended).not.toEqual([])
  expect(await file.setEncoding('utf8').toArray()).toEqual(['a file'])
  await expect.poll(() => ended).toHaveLength(8)
})

test('a third export of a user and a fifth of an account are refused, others are not', async () => {
  const start = exporter({ patience: 600_000 })
  const files = await Promise.all(['ann', 'ann', 'ben', 'ben'].map((user) => start({ user, account: 1 })))
  await expect(start({ user: 'ann', account: 2 })).rejects.toMatchObject({ code: 'too_many', retryAfterSeconds: 10 })
  await expect(start({ user: 'eve', account: 1 })).rejects.toMatchObject({ code: 'too_many' })
  await start({ user: 'eve', account: 2, chunks: short() })
  for (const file of files) file.destroy()
})

test.for([
  ['a little every 24 seconds is aborted', 24_000, true],
  ['16 kB a second, and nothing for a while, is not aborted', 1_000, false],
] as const)('an export whose client reads %s', async ([_pace, everyMs, isAborted]) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const file = await exporter()({ user: 'ann', account: 1 })
  onTestFinished(() => void file.destroy())
  await vi.advanceTimersByTimeAsync(20_000)
  for (let seconds = 0; seconds < 600; seconds += everyMs / 1_000) {
    file.read(16 * 1024)
    await vi.advanceTimersByTimeAsync(everyMs)
  }
  expect(file.destroyed).toBe(isAborted)
})

test('exports of all accounts of one customer leave room for another customer', async () => {
  const start = exporter()
  const users = ['ann', 'ben', 'cleo']
  const unread = await Promise.all(
    users.flatMap((user, index) => [1, 2].map(() => start({ user, account: 10 + (index % 2), root: 10 }))),
  )
  onTestFinished(() => unread.forEach((file) => void file.destroy()))
  await expect(start({ user: 'dan', account: 11, root: 10 })).rejects.toMatchObject({ code: 'too_many' })
  const file = await start({ user: 'eve', account: 20, chunks: short() })
  expect(await file.setEncoding('utf8').toArray()).toEqual(['a file'])
})

test('an export that waits for its turn is refused if the rights of its user have changed meanwhile', async () => {
  const start = exporter()
  const unread = await Promise.all(
    ['ann', 'ben', 'cleo', 'dan'].flatMap((user, account) => [1, 2].map(() => start({ user, account }))),
  )
  onTestFinished(() => unread.forEach((file) => void file.destroy()))
  let [isAllowed, isSent] = [true, false]
  async function* rows() {
    isSent = true
    yield 'a row'
  }
  const demandUnchanged = async () => {
    if (!isAllowed) throw new AppError('unavailable')
  }
  const waiting = start({ user: 'eve', account: 9, chunks: rows(), demandUnchanged })
  isAllowed = false
  unread[0]?.destroy()
  await expect(waiting).rejects.toMatchObject({ code: 'unavailable' })
  expect(isSent).toBe(false)
})
