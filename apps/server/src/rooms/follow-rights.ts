import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { missingStepOf } from '../sessions/complete-sign-in.ts'
import { findPeopleOfSessions, type SessionPerson } from '../sessions/session-store.ts'
import type { Connection } from './connection.ts'
import type { Connections } from './connections.ts'
import { roomAuthorizer, type JoinedRoom } from './join-room.ts'
import { type ChangedRights, RightsWatch } from './rights-watch.ts'

const lookMs = 300
/** A client whose rights cannot be checked for this long is notified that delivery has stopped. */
const timeoutMs = 1_000
/** How many connections are checked at a time. */
const atOnce = 4

type FollowRightsOptions = {
  database: Database
  connections: Connections
  /** The position up to which everything was sent, as it travels. */
  reached: () => string
  /** The server cannot read rights, so it sends nothing to any client. */
  onGone: () => void
  onBack: () => void
}

/** Keeps every client in exactly the rooms that it may join, and notifies it of changes that affect it. */
export function followRights({ database, connections, reached, onGone, onBack }: FollowRightsOptions) {
  const watch = new RightsWatch({
    database,
    served: () => ({
      sessions: [...new Set(connections.all.map(({ session }) => session))],
      people: [...new Set(connections.all.map(({ person }) => person))],
    }),
    onChanged,
  })
  let visibilityChanges = 0
  let lookedAt = performance.now()
  let isLooking = false
  let isGone = false
  const timer = setInterval(look, lookMs)

  return {
    get generation() {
      return watch.generation
    },
    /**
     * Fails if the rights cannot be read; then nothing may be sent. Returns the number of times that a client sees more or
     * less of a room.
     */
    async check() {
      await watch.check()
      return visibilityChanges
    },
    stop: () => clearInterval(timer),
  }

  function look() {
    connections.dropSlow()
    if (!isGone && performance.now() - lookedAt > timeoutMs) {
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
      // The next check follows soon; until then nothing is sent.
    } finally {
      isLooking = false
    }
  }

  async function onChanged({ ended, people, accounts, scopes }: ChangedRights) {
    for (const connection of connections.all) if (ended.has(connection.session)) end(connection)
    const changedNow = String(performance.now())
    const scopeOf = ({ person }: Connection) => (scopes === 'all' ? changedNow : scopes.get(person))
    const concerned = connections.all.filter(
      (connection) =>
        people === 'all' ||
        people.has(connection.person) ||
        scopeOf(connection) !== undefined ||
        [...connection.rooms.values()].some((room) => accounts.has(room.accountKey)),
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
        some.map((connection) =>
          recheck(connection, { person: found.get(connection.session), scope: scopeOf(connection), doorOf }),
        ),
      )
    }
  }

  type Rechecked = {
    person: SessionPerson | undefined
    scope: string | undefined
    doorOf: ReturnType<typeof doorsFor>
  }

  async function recheck(connection: Connection, { person, scope, doorOf }: Rechecked) {
    if (!person || missingStepOf(person)) return end(connection)
    const authorizer = doorOf(person)
    const names = [...connection.rooms.keys()]
    for (const name of names) takeOver(connection, { name, now: await authorizer(name).catch(refusal) })
    if (connection.updateIfChanged({ person, scope })) connection.socket.emit('rights')
  }

  function takeOver(connection: Connection, { name, now }: { name: string; now: JoinedRoom | AppError }) {
    const before = connection.rooms.get(name)
    // They have left it by themselves in the meantime.
    if (!before) return
    if (now instanceof AppError) {
      connections.exit(connection, name)
      sendLost(connection, before)
      connection.socket.emit('left', { room: name, code: now.code })
    } else if (now.channel !== before.channel) {
      visibilityChanges += 1
      connections.enter(connection, now)
      connection.socket.emit('refetch', { room: name, scope: now.scope })
    }
  }

  /** An item known to be in a room is out of scope with it. */
  function sendLost(connection: Connection, { only, collection, accountRef }: JoinedRoom) {
    if (only === undefined) return
    connection.socket.emit(`${collection.entity}:remove`, { _id: only }, { position: reached(), account: accountRef })
  }

  function end(connection: Connection) {
    connections.expel(connection, 'ended', { code: 'session_ended' })
  }
}

/** Users with the same roles in the same accounts may join the same rooms: one lookup serves them all. */
function doorsFor(database: Database) {
  const authorizers = new Map<string, ReturnType<typeof roomAuthorizer>>()
  return (person: SessionPerson) => {
    const roles = JSON.stringify([person.hyper, person.memberships])
    const authorizer = authorizers.get(roles) ?? roomAuthorizer(database, person)
    authorizers.set(roles, authorizer)
    return authorizer
  }
}

function refusal(error: unknown) {
  if (error instanceof AppError) return error
  throw error
}
