import { roomNotice, roomsPerSocket } from '@portcullis/contract/rooms'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { recordChanges } from '@portcullis/server/changes/record-change'
import { askRooms, connectPersona, roomsToJoin, roomsToResume } from './try-rooms.ts'
import {
  catchUp,
  deleteItems,
  everythingReceived,
  type ItemChange,
  judgeReceived,
  listenEverywhere,
  makeItems,
  touchItems,
} from './expect-messages.ts'
import { canaryOf, refOf } from './marks.ts'
import { eighth, form, formTitle, openMatrix, patienceMs, describeFindings } from './open-matrix.ts'
import { idTargets, places } from './places.ts'
import { eighths, type Form } from './plan-cells.ts'
import { MatrixReport } from './matrix-report.ts'

const { world, stop } = await openMatrix()
afterAll(stop)

test(
  '§1 one visible set: no client joins a room outside it, under any name and in any way',
  async () => {
    const report = new MatrixReport(`Rooms and handshakes (${formTitle})`)
    await askRooms({ world, report, form, eighth })
    process.stdout.write(`${report.toString()}\n`)
    expect(describeFindings(report.crossings)).toEqual([])
    expect(describeFindings(report.surprises)).toEqual([])
    expect(report.cells).toBeGreaterThan(form === 'sampled' ? 1_500 : 8_000)
    expect(report.comparisons).toBeGreaterThan(form === 'sampled' ? 700 : 3_000)
    expect(report.names('requester').toSorted()).toEqual(world.personas.map(({ name }) => name).toSorted())
    expect(report.names('account of the room').toSorted()).toEqual([...idTargets].toSorted())
    expect(report.names('item of the room').toSorted()).toEqual(['none', ...idTargets].toSorted())
  },
  patienceMs[form],
)

test('eight runs of the sampled form request each room of the fixed form exactly once', () => {
  for (const roomsOf of [roomsToJoin, roomsToResume]) {
    const names = (index: number, planned: { form: Form; eighth: number }) =>
      roomsOf({ world, index, ...planned }).map(({ name, form, collection }) =>
        JSON.stringify([name, form, collection.name]),
      )
    for (const index of world.personas.keys()) {
      const parts = Array.from({ length: eighths }, (_, part) => names(index, { form: 'sampled', eighth: part }))
      expect(parts.flat().toSorted()).toEqual(names(index, { form: 'fixed', eighth: 0 }).toSorted())
    }
  }
})

test(
  '§1 one visible set: no client receives items outside it, when they are saved, removed, or missed while disconnected',
  async () => {
    const report = new MatrixReport(`What rooms send`)
    const listeners = await listenEverywhere(world)
    for (const { socket } of listeners) pretend(socket.send)
    const [first] = listeners
    const since = (await first?.socket.resume([], null))?.position ?? ''

    const touched = await touchItems(world)
    await everythingReceived(world, listeners)
    judgeReceived({ world, report, listeners, itemChanges: touched, verb: 'save' })

    const returned = await catchUp(world, since)
    judgeReceived({ world, report, listeners: returned, itemChanges: touched, verb: 'save' })
    for (const { socket } of returned) socket.close()

    const made = await makeItems(world)
    await everythingReceived(world, listeners)
    judgeReceived({ world, report, listeners, itemChanges: made, verb: 'save' })
    await deleteItems(world, made)
    await everythingReceived(world, listeners)
    judgeReceived({ world, report, listeners, itemChanges: made, verb: 'remove' })

    process.stdout.write(`${report.toString()}\n`)
    for (const { socket } of listeners) socket.close()
    expect(describeFindings(report.crossings)).toEqual([])
    expect(describeFindings(report.surprises)).toEqual([])
    expect(report.cells).toBeGreaterThan(20_000)
    expect(report.names('account of the item').toSorted()).toEqual([...places].toSorted())
    expect(report.names('room').toSorted()).toEqual(['all items', 'an item', 'caught up'])
  },
  patienceMs[form],
)

test('an item that leaves an account is sent to its users as a removal, without its new account', async () => {
  const id = await world.makeItem('own', 'contacts')
  const admin = world.personas.find(({ name }) => name === 'admin')
  if (!admin) throw new Error('there is no admin')
  const socket = await connectPersona(world, admin)
  await socket.resume(['contact:zebra-own:*', 'contact:zebra-child:*', `contact:zebra-own:${id}`], null)
  await world.server.database.asSystem((tx) =>
    tx.run(sql`update contact set contact_account = ${world.keyOf('sibling')}, contact_note = ${canaryOf('sibling')}
      where contact_id = ${id}`),
  )
  const received = () => socket.received.filter(({ event }) => event.startsWith('contact:'))
  await expect.poll(() => received().length).toBeGreaterThan(0)
  expect(received().map(({ event, args }) => [event, args[0]])).toEqual([['contact:remove', { _id: id }]])
  expect(JSON.stringify(socket.received)).not.toContain('sibling')
  socket.close()
})

test('a client in the maximum number of rooms is refused every further room', async () => {
  const admin = world.personas.find(({ name }) => name === 'admin')
  if (!admin) throw new Error('there is no admin')
  const socket = await connectPersona(world, admin)
  const rooms = Array.from({ length: roomsPerSocket }, () => `site:zebra-own:${uuidv7()}`)
  await socket.resume(rooms, null)
  const answers = await Promise.all(idTargets.map((target) => socket.join(`site:${refOf(target)}:*`)))
  expect(answers).toEqual(idTargets.map(() => ({ error: { code: 'too_many' } })))
  expect(await socket.join(rooms[0])).toEqual({ ok: true })
  socket.close()
})

test('an invalid position is treated as no position', async () => {
  const [persona] = world.personas
  if (!persona) throw new Error('there is no persona')
  const socket = await connectPersona(world, persona)
  const positions = [
    '',
    '0',
    '0.0',
    '-1.-1',
    '1e3.1',
    '9'.repeat(30),
    `${'9'.repeat(24)}.1`,
    '0x1.1',
    "1' or true --.1",
  ]
  const { position } = await socket.resume([], null)
  const roomNames = ['contact:zebra-own:*', 'contact:zebra-sibling:*', `contact:zebra-own:${'-'.repeat(36)}`]
  for (const since of [...positions, position]) {
    const [answered, ...others] = (await socket.resume(roomNames, since)).rooms
    expect(['refetch', 'joined']).toContain(answered?.['is'])
    expect(others).toEqual([{ error: { code: 'account_refused' } }, { error: { code: 'bad_request' } }])
  }
  socket.close()
})

test('the tests detect a planted message about another account’s item', async () => {
  const report = new MatrixReport('planted')
  const listeners = await listenEverywhere(world)
  const itemChange: ItemChange[] = []
  await world.server.database.asSystem((tx) =>
    recordChanges(tx, [
      {
        account: world.keyOf('own'),
        collection: 'contacts',
        item: world.idOf('sibling', 'contacts'),
        action: 'save',
        isPolicy: false,
      },
    ]),
  )
  await everythingReceived(world, listeners)
  judgeReceived({ world, report, listeners, itemChanges: itemChange, verb: 'remove' })
  for (const { socket } of listeners) socket.close()
  expect(new Set(report.crossings.map(({ what }) => what))).toEqual(new Set(['the answer has an id of sibling']))
})

/** Sends messages that only the server may send, naming another account's items: no listener may receive them. */
function pretend(send: (event: string, ...args: unknown[]) => void) {
  const notices = roomNotice.options.map(({ shape }) => shape.notice.value)
  const lie = { _id: world.idOf('sibling', 'sites'), name: canaryOf('sibling') }
  const meta = { position: '1.1', account: refOf('sibling') }
  for (const event of [...notices, 'site:save', 'site:remove', 'user:save', 'message']) send(event, lie, meta)
}
