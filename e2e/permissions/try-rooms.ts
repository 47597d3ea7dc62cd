import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import { roomsPerSocket } from '@portcullis/contract/rooms'
import { z } from 'zod'
import type { Finding } from './judge-answer.ts'
import { judgeWord } from './judge-word.ts'
import { openSocket, type OpenSocket } from './open-socket.ts'
import type { Persona } from './personas.ts'
import { headerTargets, idTargets } from './places.ts'
import { eighths, type Form } from './plan-cells.ts'
import { type RequestedRoom, misnamedRooms, placeEntered, wellNamedRooms } from './room-names.ts'
import { handshakesOf } from './socket-handshakes.ts'
import type { MatrixReport } from './matrix-report.ts'
import type { World } from './world.ts'

type RoomProbing = { world: World; report: MatrixReport; form: Form; eighth: number }
type Way = 'join' | 'resume'

const all = Object.values<Collection>(collections)

/**
 * Connects to the channel in every way as every persona, and requests rooms: refusals are the same in every case, and
 * nothing sent with the cookie changes the user. Each well-formed room is requested with `resume`; with `join`, the rooms
 * of all items and of one item of each account by turns, or in the full form all rooms. The sampled form requests for each
 * persona the rooms of one eighth of the collections, a different eighth in each run.
 */
export async function askRooms(asking: RoomProbing) {
  await Promise.all(
    asking.world.personas.map(async (persona, index) => {
      await tryHandshakes(asking, { persona, index })
      if (persona.cookie === undefined) return
      await joinRooms(asking, { persona, index })
      await resumeRooms(asking, { persona, index })
    }),
  )
}

type Requester = { persona: Persona; index: number }

async function tryHandshakes({ world, report }: RoomProbing, { persona, index }: Requester) {
  for (const [step, { kind, connection, isConnected }] of handshakesOf(world, persona).entries()) {
    const socket = await openSocket(world.server.url, connection)
    const isExpected = isConnected && persona.cookie !== undefined
    const what = socket.isConnected ? 'is connected' : `is not connected: ${socket.why}`
    const findings: Finding[] =
      socket.isConnected === isExpected ? [] : [{ kind: socket.isConnected ? 'forbidden success' : 'surprise', what }]
    report.count(
      { step: 'handshake', handshake: kind, requester: persona.name },
      findings.map((finding) => ({ ...finding, where: `${kind} by ${persona.name}` })),
    )
    if (!socket.isConnected) continue
    const collection = at(all, index + step)
    const rooms = headerTargets.flatMap((account) => wellNamedRooms({ world, collection, account }).slice(0, 1))
    await askFor(
      { world, report, persona, handshake: kind, way: 'join' },
      { rooms, ask: (room) => tryRoom(socket, room) },
    )
    socket.close()
  }
}

/** A connection that sends more messages at once is closed. */
const roomsAtOnce = 400

async function joinRooms({ world, report, ...sampling }: RoomProbing, { persona, index }: Requester) {
  for (const rooms of chunks(roomsToJoin({ world, index, ...sampling }), roomsAtOnce)) {
    const socket = await connectPersona(world, persona)
    await askFor(
      { world, report, persona, handshake: 'plain', way: 'join' },
      { rooms, ask: (room) => tryRoom(socket, room) },
    )
    socket.close()
  }
}

type Sampling = { world: World; form: Form; eighth: number; index: number }

export function roomsToJoin({ world, index, form, eighth }: Sampling) {
  return all.flatMap((collection, row) => {
    if (!isTried({ row, index, form, eighth })) return []
    return idTargets.flatMap((account, column) => {
      const named = wellNamedRooms({ world, collection, account })
      if (form === 'full') return [...named, ...misnamedRooms({ world, collection, account })]
      const [everything, ...items] = named
      const misnamed = (row + index) % all.length === 0 ? misnamedRooms({ world, collection, account }) : []
      return [...(everything ? [everything] : []), at(items, row + column + index), ...misnamed]
    })
  })
}

export function roomsToResume({ world, index, form, eighth }: Sampling) {
  const rooms = all.flatMap((collection, row) => {
    if (!isTried({ row, index, form, eighth })) return []
    return idTargets.flatMap((account) => [
      ...wellNamedRooms({ world, collection, account }),
      ...((row + index) % all.length === 1 ? misnamedRooms({ world, collection, account }) : []),
    ])
  })
  // `resume` refuses the whole request if a room name contains a NUL character.
  return rooms.filter((room) => room.form !== 'a zero')
}

function isTried({ row, index, form, eighth }: Omit<Sampling, 'world'> & { row: number }) {
  return form !== 'sampled' || (row + index) % eighths === eighth
}

async function resumeRooms({ world, report, ...sampling }: RoomProbing, { persona, index }: Requester) {
  for (const some of chunks(roomsToResume({ world, index, ...sampling }), roomsPerSocket)) {
    const socket = await connectPersona(world, persona)
    const names = some.map(({ name }) => name)
    const answered = new Map((await socket.resume(names, null)).rooms.map((answer, place) => [some[place], answer]))
    const ask = (room: RequestedRoom) => Promise.resolve(answered.get(room))
    await askFor({ world, report, persona, handshake: 'plain', way: 'resume' }, { rooms: some, ask })
    socket.close()
  }
}

export async function connectPersona(world: World, { cookie = '' }: Persona) {
  const socket = await openSocket(world.server.url, { headers: { cookie } })
  if (!socket.isConnected) throw new Error(`a user with a session was not connected: ${socket.why}`)
  return socket
}

type RoomRequest = { world: World; report: MatrixReport; persona: Persona; handshake: string; way: Way }
type Rooms = { rooms: readonly RequestedRoom[]; ask: (room: RequestedRoom) => Promise<unknown> }

/** Compares the answer for each room with the expected one, and with the answer for an absent account. */
async function askFor({ world, report, persona, handshake, way }: RoomRequest, { rooms, ask }: Rooms) {
  const absent = new Map<string, string>()
  const keyOf = ({ form, item, collection }: RequestedRoom) => [form, item, collection.name].join('|')
  const inOrder = rooms.toSorted((one, other) => Number(other.account === 'absent') - Number(one.account === 'absent'))
  for (const room of inOrder) {
    const answer = await ask(room)
    const text = JSON.stringify(answer)
    if (room.account === 'absent') absent.set(keyOf(room), text)
    const twin = placeEntered(persona, room.account) ? undefined : absent.get(keyOf(room))
    report.comparisons += twin === undefined ? 0 : 1
    const findings = [
      ...judgeWord({ world, persona, text, places: new Set(), sent: JSON.stringify(room.name) ?? '' }),
      ...judgeCode(codeOf(answer), room.expects(persona)),
      ...(twin === undefined || twin === text ? [] : [distinguished(room)]),
    ]
    const where = `${way} of ${JSON.stringify(room.name)} (${room.form}) by ${persona.name}, ${handshake}`
    report.count(
      {
        step: way,
        handshake,
        requester: persona.name,
        'account of the room': room.account,
        'item of the room': room.item ?? 'none',
        form: room.form,
        collection: room.collection.name,
      },
      findings.map((finding) => ({ ...finding, where })),
    )
  }
}

/** Joins the room, and leaves it again to make space for the next. */
async function tryRoom(socket: OpenSocket, { name }: RequestedRoom) {
  const answer = await socket.join(name)
  if (codeOf(answer) === 'ok') await socket.leave(name)
  return answer
}

const acknowledged = z.union([
  z.strictObject({ ok: z.literal(true) }),
  z.strictObject({ scope: z.string(), is: z.enum(['refetch', 'joined']) }),
  z.strictObject({ error: z.strictObject({ code: z.string() }) }),
])

function codeOf(answer: unknown) {
  const { data } = acknowledged.safeParse(answer)
  if (!data) return 'not understood'
  return 'error' in data ? data.error.code : 'ok'
}

function judgeCode(code: string, expected: string): Finding[] {
  if (code === expected) return []
  const what = `${code} instead of ${expected}`
  if (code === 'internal') return [{ kind: 'failure', what }]
  return [{ kind: code === 'ok' ? 'forbidden success' : 'surprise', what }]
}

function distinguished({ account }: RequestedRoom): Finding {
  return { kind: 'distinguishable', what: `the accounts ${account} and absent are answered differently` }
}

export function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}

function at<T>(items: readonly T[], index: number): T {
  const found = items[index % items.length]
  if (found === undefined) throw new Error('there is nothing to choose from')
  return found
}
