import type { AccessQuery, OpeningState } from '@portcullis/contract/calls/explorer'
import { pageSize } from '@portcullis/contract/list-query'
import { sortInSteps } from '@portcullis/domain/configuration/sort-in-steps'
import type { PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import type { LeftOutByUnit } from '@portcullis/domain/decision/left-out'
import { doorsOfUser, type Opening, usersAtDoor } from '@portcullis/domain/explore/openings'
import type { Door } from '@portcullis/domain/policy'
import { runInSlices } from '../time-slices.ts'
import { itemOf, searchTextOf } from './named-items.ts'

/** A user at a cached door, or a door for a cached user. */
export type Entry = {
  id: string
  searchText: string
  state: OpeningState
  /** With room on the controller, the door would open. */
  noRoom: boolean
}

type PeopleEntriesInput = { door: Door; at: number; leftOut: LeftOutByUnit }

/** The users with access at a door by the rules, sorted by name; cached, because they are requested page by page. */
export function peopleEntries(index: PolicyIndex, input: PeopleEntriesInput): Promise<readonly Entry[]> {
  const lists = peopleLists.get(index) ?? new Map<string, Promise<readonly Entry[]>>()
  peopleLists.set(index, lists)
  const leftOut = JSON.stringify(input.leftOut.get(input.door.unit ?? ''))
  const key = `${index.version} ${input.door._id} ${input.at} ${leftOut}`
  const cached = lists.get(key)
  if (cached) return cached
  const made = runInSlices(peopleInSteps(index, input))
  lists.set(key, made)
  made.catch(() => lists.delete(key))
  for (const oldest of [...lists.keys()].slice(0, -maxCachedLists)) lists.delete(oldest)
  return made
}

const maxCachedLists = 4
const peopleLists = new WeakMap<PolicyIndex, Map<string, Promise<readonly Entry[]>>>()

function* peopleInSteps(index: PolicyIndex, input: PeopleEntriesInput) {
  const { door, at, leftOut } = input
  const users = yield* usersAtDoor(index, input)
  return yield* sortedEntries(users, {
    at,
    withRoom: leftOut.has(door.unit ?? '') ? yield* usersAtDoor(index, { door, at }) : users,
    textOf: (id) => index.membershipsOfUser.get(id)?.[0]?.name ?? '',
  })
}

type DoorEntriesInput = { user: string; at: number; leftOut: LeftOutByUnit }

/** The doors at which rules grant a user access, by name. */
export function* doorEntries(index: PolicyIndex, { user, at, leftOut }: DoorEntriesInput) {
  const doors = yield* doorsOfUser(index, { user, at, leftOut })
  return yield* sortedEntries(doors, {
    at,
    withRoom: leftOut.size > 0 ? yield* doorsOfUser(index, { user, at }) : doors,
    textOf: (id) => `${itemOf(index, id)?.name ?? ''} ${itemOf(index, index.doors.get(id)?.site ?? '')?.name ?? ''}`,
  })
}

type Openings = ReadonlyMap<string, Opening | null>
/** `withRoom`: the openings if the units had room for everything. */
type Entries = { at: number; withRoom: Openings; textOf: (id: string) => string }

function* sortedEntries(openings: Openings, { at, withRoom, textOf }: Entries): Generator<undefined, readonly Entry[]> {
  const entries: Entry[] = []
  for (const [id, opening] of openings) {
    const noRoom = opening === null && (withRoom.get(id) ?? null) !== null
    entries.push({ id, searchText: searchTextOf(textOf(id)), state: stateOf(opening, at), noRoom })
    yield
  }
  return yield* sortInSteps(entries, byText)
}

/** One page of the visible entries that match the query, and the count of each state. */
export function pageOfEntries(entries: readonly Entry[], { query, sees }: Paged) {
  const { search = '', can = 'sometime', page: pageNumber = 0, size = pageSize.initial } = query
  const seen = entries.filter(({ id }) => sees(id))
  const term = searchTextOf(search.trim())
  const found = seen.filter(({ state, searchText }) => isRequested(state, can) && searchText.includes(term))
  return {
    found,
    shown: found.slice(pageNumber * size, (pageNumber + 1) * size),
    page: { size, totalElements: found.length, totalPages: Math.ceil(found.length / size), pageNumber },
    counts: {
      now: countOf(seen, 'now'),
      later: countOf(seen, 'later'),
      never: countOf(seen, 'never'),
      noRoom: seen.filter(({ noRoom }) => noRoom).length,
    },
    hidden:
      entries.filter(({ state }) => state !== 'never').length - seen.filter(({ state }) => state !== 'never').length,
  }
}

type Paged = {
  query: Pick<AccessQuery, 'search' | 'can'> & { page?: number; size?: number }
  sees: (id: string) => boolean
}

function isRequested(state: OpeningState, can: NonNullable<AccessQuery['can']>) {
  if (can === 'all') return true
  return can === 'sometime' ? state !== 'never' : state === can
}

function countOf(entries: readonly Entry[], state: OpeningState) {
  return entries.filter((entry) => entry.state === state).length
}

function stateOf(opening: Opening | null, at: number): OpeningState {
  if (opening === null) return 'never'
  return opening.from <= at ? 'now' : 'later'
}

const { compare } = new Intl.Collator('en')

function byText(a: Entry, b: Entry) {
  return compare(a.searchText, b.searchText) || (a.id < b.id ? -1 : 1)
}
