import { limits, type ServerFrame } from '@portcullis/contract/unit-protocol/frames'
import { passagesText } from '@portcullis/contract/unit-protocol/signed-texts'
import { generateKeys, isSigned } from '@portcullis/controllers/keys'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { PassageQueue } from './passage-queue.ts'

const [unit, area] = [uuidv7(), uuidv7()]
const nonce = 'A'.repeat(44)
const key = generateKeys()

const passage = (user: string, second: number, direction: 'entry' | 'exit' = 'entry') => {
  const at = new Date(Date.UTC(2026, 2, 1, 9, 0, second)).toISOString()
  return { area, user, direction, at, storedAt: at }
}

/** A queue to a unit that reads a frame each time the test says so. */
function queue() {
  const sent: Extract<ServerFrame, { type: 'passages' }>[] = []
  const leaving: (() => void)[] = []
  const frames = {
    async sendAll(made: Iterable<ServerFrame>) {
      for (const frame of made) {
        if (frame.type === 'passages') sent.push(frame)
        await new Promise<void>((resolve) => leaving.push(resolve))
      }
    },
  }
  const connection = { unit, nonce, key }
  return { queue: new PassageQueue({ connection, frames, pauseMs: 0 }), sent, read: () => leaving.shift()?.() }
}

test('passages that arrive while a frame leaves wait for the next one, the last of each user', async () => {
  const { queue: passages, sent, read } = queue()
  const [ann, ben] = [uuidv7(), uuidv7()]
  passages.add([passage(ann, 1)])
  for (let second = 2; second < 50; second += 1) passages.add([passage(ann, second, 'exit'), passage(ben, second)])
  expect(sent).toHaveLength(1)
  read()
  await expect.poll(() => sent.length).toBe(2)
  expect(sent[1]?.passages.map(({ user, direction }) => [user, direction])).toEqual([
    [ann, 'exit'],
    [ben, 'entry'],
  ])
  expect(sent[1]?.upTo).toBe(passage(ben, 49).at)
})

test('more passages than fit into a frame are sent in the order in which they were stored', async () => {
  const { queue: passages, sent, read } = queue()
  const all = Array.from({ length: limits.passagesPerFrame + 1 }, (_, second) => passage(uuidv7(), second))
  passages.add(all)
  read()
  await expect.poll(() => sent.length).toBe(2)
  expect(sent.flatMap((frame) => frame.passages.map(({ user }) => user))).toEqual(all.map(({ user }) => user))
  expect(sent.map(({ upTo }) => upTo)).toEqual([all.at(-2)?.at, all.at(-1)?.at])
  expect(JSON.stringify(sent[0]).length).toBeLessThan(limits.frameBytes)
})

test('a frame is signed for one unit and one connection', () => {
  const { queue: passages, sent } = queue()
  passages.add([passage(uuidv7(), 1)])
  const [frame] = sent
  const signed = (of: { unit: string; nonce: string }) =>
    frame && isSigned({ publicKey: key.publicKey, text: passagesText({ ...frame, ...of }), signature: frame.signature })
  expect([signed({ unit, nonce }), signed({ unit: area, nonce }), signed({ unit, nonce: 'B' })]).toEqual([
    true,
    false,
    false,
  ])
})
