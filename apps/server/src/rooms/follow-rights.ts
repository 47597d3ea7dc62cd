import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { lackOf } from '../sessions/complete-sign-in.ts'
import { findPeopleOfSessions, type SessionPerson } from '../sessions/session-store.ts'
import type { Guest } from './guest.ts'
import type { Guests } from './guests.ts'
import { doorFor, type JoinedRoom } from './join-room.ts'
import { type ChangedRights, RightsWatch } from './rights-watch.ts'

const lookMs = 300
/** Who can't be checked for so long is told that nothing can be told. */
const patienceMs = 1_000
/** Guests whose rights are looked up at a time. */
const atOnce = 4

type Parts = {
  database: Database
  guests: Guests
  /** Up to where everything was told, as it travels. */
  reached: () => string
  /** Rights can't be looked up, and so nothing is told to anybody. */
  onGone: () => void
  onBack: () => void
}

/** Keeps everybody in the rooms that are theirs, and nobody in others, and tells them what has changed for them. */
export function followRights({ database, guests, reached, onGone, onBack }: Parts) {
  const watch = new RightsWatch({
    database,
    served: () => ({
      sessions: [...new Set(guests.all.map(({ session }) => session))],
      people: [...new Set(guests.all.map(({ person }) => person))],
    }),
    onChanged,
  })
  let changesOfSight = 0
  let lookedAt = performance.now()
  let isLooking = false
  let isGone = false
  const timer = setInterval(look, lookMs)

  return {
    get generation() {
      return watch.generation
    },
    /**
     * Fails where rights can't be looked up: then nobody may be told anything. Answers how often somebody has come to see
     * more of a room, or less.
     */
    async check() {
      await watch.check()
      return changesOfSight
    },
    stop: () => clearInterval(timer),
  }

  function look() {
    guests.dropSlow()
    if (!isGone && performance.now() - lookedAt > patienceMs) {
      isGone = true
      onGone()
    }
    if (!isLooking) void lookOnce()
  }

  async function lookOnce() {
    isLooking = true
    const began = performance.now()
    try {
      await watch.check()
      lookedAt = began
      if (isGone) onBack()
      isGone = false
    } catch {
      // The next look is soon, and in between nothing is told.
    } finally {
      isLooking = false
    }
  }

  async function onChanged({ ended, people, accounts, sights }: ChangedRights) {
    for (const guest of guests.all) if (ended.has(guest.session)) end(guest)
    const anew = String(performance.now())
    const sightOf = ({ person }: Guest) => (sights === 'everybody' ? anew : sights.get(person))
    const concerned = guests.all.filter(
      (guest) =>
        people === 'everybody' ||
        people.has(guest.person) ||
        sightOf(guest) !== undefined ||
        [...guest.rooms.values()].some((room) => accounts.has(room.accountKey)),
    )
    if (concerned.length === 0) return
    const found = await findPeopleOfSessions(
      database,
      concerned.map(({ session }) => session),
    )
    const doorOf = doorsFor(database)
    for (let index = 0; index < concerned.length; index += atOnce) {
      const some = concerned.slice(index, index + atOnce)
      await Promise.all(
        some.map((guest) => recheck(guest, { person: found.get(guest.session), sight: sightOf(guest), doorOf })),
      )
    }
  }

  type Rechecked = {
    person: SessionPerson | undefined
    sight: string | undefined
    doorOf: ReturnType<typeof doorsFor>
  }

  async function recheck(guest: Guest, { person, sight, doorOf }: Rechecked) {
    if (!person || lackOf(person)) return end(guest)
    const door = doorOf(person)
    const names = [...guest.rooms.keys()]
    for (const name of names) takeOver(guest, { name, now: await door(name).catch(refusal) })
    if (guest.isOtherThanBefore({ person, sight })) guest.socket.emit('rights')
  }

  function takeOver(guest: Guest, { name, now }: { name: string; now: JoinedRoom | AppError }) {
    const before = guest.rooms.get(name)
    // They have left it by themselves in the meantime.
    if (!before) return
    if (now instanceof AppError) {
      guests.exit(guest, name)
      tellLost(guest, before)
      guest.socket.emit('left', { room: name, code: now.code })
    } else if (now.channel !== before.channel) {
      changesOfSight += 1
      guests.enter(guest, now)
      guest.socket.emit('refetch', { room: name, sight: now.sight })
    }
  }

  /** What is known to be in a room is out of sight with it. */
  function tellLost(guest: Guest, { only, collection, accountRef }: JoinedRoom) {
    if (only === undefined) return
    guest.socket.emit(`${collection.entity}:remove`, { _id: only }, { position: reached(), account: accountRef })
  }

  function end(guest: Guest) {
    guests.expel(guest, 'ended', { code: 'session_ended' })
  }
}

/** Who holds the same roles in the same accounts is let in alike: what was found out for one serves the others. */
function doorsFor(database: Database) {
  const doors = new Map<string, ReturnType<typeof doorFor>>()
  return (person: SessionPerson) => {
    const roles = JSON.stringify([person.hyper, person.memberships])
    const door = doors.get(roles) ?? doorFor(database, person)
    doors.set(roles, door)
    return door
  }
}

function refusal(error: unknown) {
  if (error instanceof AppError) return error
  throw error
}
