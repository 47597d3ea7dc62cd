import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { VirtualUnit } from '@portcullis/controllers/virtual-unit'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { makeItem } from './collections/test-items.ts'
import { startUnit, wiredDoor } from './tasks/test-door.ts'
import { startOwnServer } from './test-server.ts'
import { startSecondServer } from './test-servers.ts'

const server = await startOwnServer()
afterAll(server.stop)
const second = await startSecondServer(server.databaseUrl)
afterAll(second.stop)
const { ask } = server
const patience = { timeout: 60_000 }

const granted = { verdict: 'grant', reason: null }
const denied = { verdict: 'deny', reason: 'antipassback' }

async function cardholder() {
  const user = await makeItem({ ask, collection: 'users' })
  const number = randomUUID().slice(0, 13)
  await makeItem({ ask, collection: 'credentials', fields: { kind: 'card', number, user: user._id } })
  return { user: user._id, number }
}

/** A controller, with a folder whose memory the test can read without presenting a card. */
async function startAt(url: string, wired: { door: string; unit: string; serial: string }) {
  const dir = await mkdtemp(join(tmpdir(), 'shared-passages-'))
  const controller = await startUnit(server, { ...wired, dir, url: `${url.replace('http', 'ws')}/units` })
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  await expect
    .poll(async () => {
      const { item } = await ask('GET', `/api/units/${wired.unit}`)
      return item['desiredVersion'] !== null && item['appliedVersion'] === item['desiredVersion']
    }, patience)
    .toBe(true)
  return { controller, knownSide: (of: { area: string; user: string }) => knownSide(dir, of) }
}

const memory = z.object({ passages: z.record(z.string(), z.record(z.string(), z.object({ direction: z.string() }))) })

async function knownSide(dir: string, { area, user }: { area: string; user: string }) {
  const text = await readFile(join(dir, 'memory.json'), 'utf8').catch(() => '{"passages":{}}')
  return memory.parse(JSON.parse(text)).passages[area]?.[user]?.direction
}

test.each([
  ['the same server', server.url],
  ['another server', second.url],
])(
  'a user who has entered through a door of one controller is inside for another, which is connected to %s',
  async (_, url) => {
    const [ann, ben, cem] = [await cardholder(), await cardholder(), await cardholder()]
    const directions = { entry: true, exit: true }
    const [front, back] = [await wiredDoor(ask, { directions }), await wiredDoor(ask, { directions })]
    const members = [front.door, back.door]
    const fields = { members, antiPassback: { kind: 'hard', minutes: 1 } }
    const { _id: area } = await makeItem({ ask, collection: 'doorGroups', fields })
    await makeItem({
      ask,
      collection: 'rules',
      fields: {
        who: [ann, ben, cem].map(({ user }) => ({ kind: 'User', id: user })),
        where: members.map((id) => ({ kind: 'Door', id })),
      },
    })
    const atFront = await startAt(server.url, front)
    const atBack = await startAt(url, back)
    const present = (controller: VirtualUnit, { number }: { number: string }, direction: 'entry' | 'exit' = 'entry') =>
      controller.present({ door: 1, kind: 'card', number, direction })

    expect(await present(atFront.controller, ann)).toEqual(granted)
    await expect.poll(() => atBack.knownSide({ area, ...ann }), patience).toBe('entry')
    expect(await present(atBack.controller, ann)).toEqual(denied)
    await atBack.controller.powerCut()
    expect(await present(atBack.controller, ann)).toEqual(denied)

    await atBack.controller.setFaults({ offline: true })
    for (const user of [ben, cem]) {
      expect(await present(atFront.controller, user)).toEqual(granted)
    }
    await expect.poll(() => atFront.knownSide({ area, ...cem }), patience).toBe('entry')
    expect(await present(atBack.controller, ben)).toEqual(granted)
    expect(await present(atBack.controller, ann)).toEqual(denied)
    await atBack.controller.setFaults({ offline: false })
    await expect.poll(() => atBack.knownSide({ area, ...cem }), patience).toBe('entry')
    expect(await present(atBack.controller, cem)).toEqual(denied)

    expect(await present(atBack.controller, ann, 'exit')).toEqual(granted)
    await expect.poll(() => atFront.knownSide({ area, ...ann }), patience).toBe('exit')
    expect(await present(atFront.controller, ann)).toEqual(granted)
  },
)
