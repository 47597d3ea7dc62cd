import { setImmediate } from 'node:timers/promises'
import type { AccessQuery, OpeningState } from '@portcullis/contract/calls/explorer'
import { pageSize } from '@portcullis/contract/list-query'
import type { PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import { doorsOfPerson, type Opening, peopleAtDoor } from '@portcullis/domain/explore/openings'
import type { Door } from '@portcullis/domain/policy'
import { directoryOf, searchTextOf } from './directory.ts'

/** Somebody at a door, or a door that somebody may pass: what is opened is known to whoever asks. */
export type Entry = { id: string; searchText: string; state: OpeningState; opening: Opening | null }

type Asked = { door: Door; at: number }

/** The people whom rules let in at a door, by name; kept for a while, for they are asked for page by page. */
export function peopleEntries(index: PolicyIndex, asked: Asked): Promise<readonly Entry[]> {
  const lists = peopleLists.get(index) ?? new Map<string, Promise<readonly Entry[]>>()
  peopleLists.set(index, lists)
  const key = `${asked.door._id} ${asked.at}`
  const known = lists.get(key)
  if (known) return known
  const made = makePeopleEntries(index, asked)
  lists.set(key, made)
  for (const oldest of [...lists.keys()].slice(0, -mostLists)) lists.delete(oldest)
  return made
}

const mostLists = 4
const peopleLists = new WeakMap<PolicyIndex, Map<string, Promise<readonly Entry[]>>>()

/** Other requests are let in between while those of a great house are gone through. */
async function makePeopleEntries(index: PolicyIndex, { door, at }: Asked) {
  const { people } = directoryOf(index)
  const entries: Entry[] = []
  for (const [id, opening] of peopleAtDoor(index, { door, at })) {
    entries.push({ id, searchText: people.get(id)?.searchText ?? '', state: stateOf(opening, at), opening })
    if (entries.length % peopleAtOnce === 0) await setImmediate()
  }
  return entries.sort(byText)
}

const peopleAtOnce = 2_000

/** The doors at which rules let a person in, by name. */
export function doorEntries(index: PolicyIndex, { user, at }: { user: string; at: number }): Entry[] {
  const { nameOf } = directoryOf(index)
  const entries = [...doorsOfPerson(index, { user, at })].map(([id, opening]): Entry => {
    const site = index.doors.get(id)?.site ?? ''
    const searchText = searchTextOf(`${nameOf.get(id) ?? ''} ${nameOf.get(site) ?? ''}`)
    return { id, searchText, state: stateOf(opening, at), opening }
  })
  return entries.sort(byText)
}

/** One page of the entries that are in sight and asked for, and how many there are of each state. */
export function pageOfEntries(entries: readonly Entry[], { query, sees }: Paged) {
  const { search = '', can = 'sometime', page: pageNumber = 0, size = pageSize.initial } = query
  const seen = entries.filter(({ id }) => sees(id))
  const wanted = searchTextOf(search.trim())
  const found = seen.filter(({ state, searchText }) => isAsked(state, can) && searchText.includes(wanted))
  return {
    found,
    shown: found.slice(pageNumber * size, (pageNumber + 1) * size),
    page: { size, totalElements: found.length, totalPages: Math.ceil(found.length / size), pageNumber },
    counts: { now: countOf(seen, 'now'), later: countOf(seen, 'later'), never: countOf(seen, 'never') },
    hidden:
      entries.filter(({ state }) => state !== 'never').length - seen.filter(({ state }) => state !== 'never').length,
  }
}

type Paged = {
  query: Pick<AccessQuery, 'search' | 'can'> & { page?: number; size?: number }
  sees: (id: string) => boolean
}

function isAsked(state: OpeningState, can: NonNullable<AccessQuery['can']>) {
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
