import {
  decideAccess,
  doorAccess,
  type DoorAccess,
  exportDoorAccess,
  exportUserAccess,
  userAccess,
  type UserAccess,
} from '@portcullis/contract/calls/explorer'
import { userLeftOut } from '@portcullis/contract/calls/left-out'
import { whyThen as whyThenCall } from '@portcullis/contract/calls/why-then'
import { doors } from '@portcullis/contract/collections/doors'
import { events } from '@portcullis/contract/collections/events'
import { users } from '@portcullis/contract/collections/users'
import type { PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import { type LeftOutByUnit, nothingLeftOut } from '@portcullis/domain/decision/left-out'
import { presentableFinder } from '@portcullis/domain/explore/presentable'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { get } from '../collections/get.ts'
import type { Database } from '../database/database.ts'
import { leftOutByUnit } from '../desired/left-out-by-unit.ts'
import type { RunExport } from '../exports/run-export.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { AppError } from '../errors/app-error.ts'
import type { Policies } from '../policy/policies.ts'
import { runInSlices } from '../time-slices.ts'
import { registerAccessViews } from './access-views.ts'
import { decide } from './decide.ts'
import { makeAccessExport } from './export-access.ts'
import { registerRuleReview } from './review.ts'
import { type Scope, scopeOf } from './scope.ts'
import { type Problem, problem } from '@portcullis/contract/errors/problem'
import type { Door } from '@portcullis/domain/policy'
import { doorEntries, type Entry, pageOfEntries, peopleEntries } from './access-entries.ts'
import { accessRow, doorRow, iso } from './access-row.ts'
import { unitsWithoutRoom } from './units-without-room.ts'
import { whyThen } from './why-then.ts'

type ExplorerOptions = Pick<ServeCall, 'serveCall'> & {
  database: Database
  policies: Policies
  runExport: RunExport
  now: () => number
}

const itemParams = z.object({ id: z.uuid() })

/**
 * Queries on the current policy. They write nothing but the audit trace of an export, and return only items in scope.
 */
export function registerExplorer(
  app: FastifyInstance,
  { database, policies, runExport, serveCall, now }: ExplorerOptions,
) {
  const exportAccess = makeAccessExport(database, runExport)
  registerRuleReview(app, { policies, serveCall, now })
  registerAccessViews(app, { policies, serveCall, leftOutEverywhere, minuteOf })

  serveCall(app, doorAccess, async ({ access, path, query }) => {
    const { index, scope } = await seenBy(access)
    const door = doorIn(path, { index, scope })
    const leftOut = await leftOutAt(door)
    const { list } = await doorAccessList(index, { door, at: minuteOf(query.at), query, scope, leftOut })
    return list
  })

  serveCall(app, exportDoorAccess, async ({ reply, access, path, input }) => {
    const { index, scope } = await seenBy(access)
    const door = doorIn(path, { index, scope })
    const listed = { door, at: minuteOf(input.at), query: input, scope, leftOut: await leftOutAt(door) }
    const { found, rowsOf } = await doorAccessList(index, listed)
    const file = await exportAccess({
      access,
      collection: users,
      of: { door: door._id },
      request: input,
      entries: found,
      rowsOf,
      about: [{ field: 'user', value: ({ user }) => user.name }],
    })
    return sendFile(reply, file)
  })

  serveCall(app, userAccess, async ({ access, path, query }) => {
    const { index, scope } = await seenBy(access)
    const user = personIn(path, scope)
    const leftOut = await leftOutEverywhere(index)
    const { list } = await userAccessList(index, { user, at: minuteOf(query.at), query, scope, leftOut })
    return list
  })

  serveCall(app, userLeftOut, async ({ access, path }) => {
    const { index, scope } = await seenBy(access)
    const user = personIn(path, scope)._id
    const leftOut = await leftOutEverywhere(index)
    return { units: unitsWithoutRoom(index, { user, at: now(), scope, leftOut }) }
  })

  serveCall(app, exportUserAccess, async ({ reply, access, path, input }) => {
    const { index, scope } = await seenBy(access)
    const user = personIn(path, scope)
    const leftOut = await leftOutEverywhere(index)
    const listed = { user, at: minuteOf(input.at), query: input, scope, leftOut }
    const { found, rowsOf } = await userAccessList(index, listed)
    const file = await exportAccess({
      access,
      collection: doors,
      of: { user: user._id },
      request: input,
      entries: found,
      rowsOf,
      about: [
        { field: 'door', value: ({ door }) => door.name },
        { field: 'site', value: ({ door }) => door.site.name },
      ],
    })
    return sendFile(reply, file)
  })

  serveCall(app, decideAccess, async ({ access, input: { at, direction, ...named } }) => {
    const { index, scope } = await seenBy(access)
    const door = doorIn({ id: named.door }, { index, scope })
    const timeZone = zoneOf(index, door.site)
    const moment = queriedMoment(at, { timeZone, now: now() })
    const leftOut = await leftOutAt(door)
    const question = { door, direction, at: moment, who: whoIn(named, { index, scope }), leftOut }
    return runInSlices(decide(index, { question, timeZone, scope }))
  })

  serveCall(app, whyThenCall, async ({ access, path }) => {
    const event = events.entitySchema.parse(
      JSON.parse(await get(database, { collection: events, access, id: path.id })),
    )
    const { index } = await policies.latestOfAccount(access.account.key)
    return whyThen(database, { event, access, current: index, now: now() })
  })

  async function seenBy(access: Access): Promise<Seen> {
    const { index } = await policies.latestOfAccount(access.account.key)
    return { index, scope: scopeOf(index, access) }
  }

  function leftOutAt({ unit }: Door) {
    return unit === null ? nothingLeftOut : leftOutByUnit(database, [unit])
  }

  function leftOutEverywhere({ units }: PolicyIndex) {
    return leftOutByUnit(database, [...units.keys()])
  }

  /** To the minute, so that the pages of one list are consistent. */
  function minuteOf(at: string | undefined) {
    const moment = queriedMoment(at, { timeZone: 'UTC', now: now() })
    return at === undefined ? moment - (moment % minuteMs) : moment
  }
}

const minuteMs = 60_000

type Seen = { index: PolicyIndex; scope: Scope }

function doorIn(params: unknown, { index, scope }: Seen) {
  const { data } = itemParams.safeParse(params)
  const door = data && scope.sees('door', data.id) ? index.doors.get(data.id) : undefined
  if (!door) throw new AppError('not_found', { collection: 'doors' })
  return door
}

function personIn(params: unknown, scope: Scope) {
  const { data } = itemParams.safeParse(params)
  const user = data && scope.sees('user', data.id) ? scope.personOf(data.id) : undefined
  if (!user) throw new AppError('not_found', { collection: 'users' })
  return user
}

type Named = { user?: string | undefined; credential?: string | undefined; number?: string | undefined }

function whoIn({ user, credential: id, number = '' }: Named, { index, scope }: Seen) {
  if (user !== undefined) return { user: personIn({ id: user }, scope)._id }
  if (id === undefined) return { number }
  const credential = scope.sees('credential', id) ? index.credentials.get(id) : undefined
  if (!credential) throw new AppError('not_found', { collection: 'credentials' })
  return { number: credential.number }
}

/** An unknown time zone opens no schedule; its times are shown in UTC. */
function zoneOf({ sites }: PolicyIndex, site: string) {
  const timeZone = sites.get(site)?.timeZone ?? 'UTC'
  return isZone(timeZone) ? timeZone : 'UTC'
}

function isZone(timeZone: string) {
  try {
    return Temporal.Now.zonedDateTimeISO(timeZone) !== undefined
  } catch {
    return false
  }
}

type File = { type: string; fileName: string; file: NodeJS.ReadableStream }

function sendFile(reply: FastifyReply, { type, fileName, file }: File) {
  return reply.type(type).header('content-disposition', `attachment; filename="${fileName}"`).send(file)
}

/** The queried moment, in epoch milliseconds: now, an instant, or local time of the site. */
function queriedMoment(at: string | undefined, { timeZone, now }: { timeZone: string; now: number }) {
  const moment = at === undefined ? now : momentOf(at, timeZone)
  if (Math.abs(moment - now) > maxYears * yearMs) throw wrong(problem('too_far_away', { years: maxYears }))
  return moment
}

const maxYears = 5
const yearMs = 366 * 86_400_000

function momentOf(at: string, timeZone: string) {
  if (!isSiteTime.test(at)) return Date.parse(at)
  try {
    // A local time that the clocks skip is taken as an hour later; one that occurs twice, as the first.
    return Temporal.PlainDateTime.from(at, { overflow: 'reject' }).toZonedDateTime(timeZone).epochMilliseconds
  } catch (cause) {
    if (cause instanceof RangeError) throw wrong(problem('no_such_site_time'), cause)
    throw cause
  }
}

const isSiteTime = /T\d{2}:\d{2}(:\d{2})?$/

function wrong(at: Problem, cause?: unknown) {
  return new AppError('bad_request', {}, { fields: { at }, cause })
}

type Query = Parameters<typeof pageOfEntries>[1]['query']
type AccessListInput = { at: number; query: Query; scope: Scope; leftOut: LeftOutByUnit }

/** The users who can open a door: one page, and all that were found, for exports. */
async function doorAccessList(index: PolicyIndex, { door, ...input }: AccessListInput & { door: Door }) {
  const { at, query, scope, leftOut } = input
  const presentable = presentableFinder(index, at, leftOut)
  const entries = await peopleEntries(index, { door, at, leftOut })
  const { found, shown, ...numbers } = pageOfEntries(entries, { query, sees: (id) => scope.sees('user', id) })
  const items = await rowsOf(shown)
  const list: DoorAccess = { ...numbers, at: iso(at), door: doorRow(index, { door, scope }), items }
  return { list, found, rowsOf }

  function rowsOf(entries: readonly Entry[]) {
    return runInSlices(eachOf(entries, rowOf))
  }

  function* rowOf(entry: Entry): Generator<undefined, DoorAccess['items'][number] | undefined> {
    const user = scope.personOf(entry.id)
    const row = { user: user?._id ?? '', door, at, entry, scope, leftOut, presentable }
    return user && { user, ...(yield* accessRow(index, row)) }
  }
}

/** The doors that a user can open: one page, and all that were found, for exports. */
async function userAccessList(index: PolicyIndex, { user, ...input }: AccessListInput & { user: UserAccess['user'] }) {
  const { at, query, scope, leftOut } = input
  const presentable = presentableFinder(index, at, leftOut)
  const sees = (id: string) => scope.sees('door', id)
  const entries = await runInSlices(doorEntries(index, { user: user._id, at, leftOut }))
  const { found, shown, ...numbers } = pageOfEntries(entries, { query, sees })
  const list: UserAccess = { ...numbers, at: iso(at), user, items: await rowsOf(shown) }
  return { list, found, rowsOf }

  function rowsOf(entries: readonly Entry[]) {
    return runInSlices(eachOf(entries, rowOf))
  }

  function* rowOf(entry: Entry): Generator<undefined, UserAccess['items'][number] | undefined> {
    const door = index.doors.get(entry.id)
    if (!door) return undefined
    const row = yield* accessRow(index, { user: user._id, door, at, entry, scope, leftOut, presentable })
    return { door: doorRow(index, { door, scope }), ...row }
  }
}

/** The rows of entries that still exist. */
function* eachOf<Row>(entries: readonly Entry[], rowOf: (entry: Entry) => Generator<undefined, Row | undefined>) {
  const rows: Row[] = []
  for (const entry of entries) {
    const row = yield* rowOf(entry)
    if (row) rows.push(row)
    yield
  }
  return rows
}
