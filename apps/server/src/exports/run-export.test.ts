import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
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

function exporter(patience: number) {
  const run = makeRunExport(app, { patience })
  return ({ user, account, chunks = endless() }: { user: string; account: number; chunks?: AsyncIterable<string> }) =>
    run({
      access: { person: { _id: user }, account: { key: account } },
      work: (send) => send(chunks),
      breakOff: async () => void ended.push(user),
    })
}

test('exports whose clients do not read end by themselves, and that of another account then begins', async () => {
  const start = exporter(100)
  const unread = ['ann', 'ben'].flatMap((user, account) => [
    ...[1, 2].map(() => start({ user, account })),
    ...[1, 2].map(() => start({ user: `${user}-2`, account })),
  ])
  await Promise.all(unread)
  expect(ended).toEqual([])
  const file = await start({ user: 'eve', account: 9, chunks: short() })
  expect(ended).not.toEqual([])
  expect(await file.setEncoding('utf8').toArray()).toEqual(['a file'])
  await expect.poll(() => ended).toHaveLength(8)
})

test('a third export of a user and a fifth of an account are refused, others are not', async () => {
  const start = exporter(600_000)
  const files = await Promise.all(['ann', 'ann', 'ben', 'ben'].map((user) => start({ user, account: 1 })))
  await expect(start({ user: 'ann', account: 2 })).rejects.toMatchObject({ code: 'too_many' })
  await expect(start({ user: 'eve', account: 1 })).rejects.toMatchObject({ code: 'too_many' })
  await start({ user: 'eve', account: 2, chunks: short() })
  for (const file of files) file.destroy()
})
