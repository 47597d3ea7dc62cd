import type { DoorAccess, UserAccess } from '@portcullis/contract/calls/explorer'
import type { PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import type { Door } from '@portcullis/domain/policy'
import { doorEntries, type Entry, pageOfEntries, peopleEntries } from './access-entries.ts'
import { accessRow, doorRow, iso } from './access-row.ts'
import type { Sight } from './sight.ts'

type Query = Parameters<typeof pageOfEntries>[1]['query']
type Asked = { at: number; query: Query; sight: Sight }

/** Who can open a door: a page of people, and whoever is wanted of all that were found. */
export async function doorAccessList(index: PolicyIndex, { door, ...asked }: Asked & { door: Door }) {
  const { at, query, sight } = asked
  const entries = await peopleEntries(index, { door, at })
  const { found, shown, ...numbers } = pageOfEntries(entries, { query, sees: (id) => sight.sees('user', id) })
  const list: DoorAccess = {
    ...numbers,
    at: iso(at),
    door: doorRow(index, { door, sight }),
    items: shown.flatMap(rowsOf),
  }
  return { list, found, rowsOf }

  function rowsOf(entry: Entry): DoorAccess['items'] {
    const user = sight.personOf(entry.id)
    return user ? [{ user, ...accessRow(index, { user: user._id, door, at, entry, sight }) }] : []
  }
}

/** What a person can open: a page of doors. */
export function userAccessList(index: PolicyIndex, { user, ...asked }: Asked & { user: UserAccess['user'] }) {
  const { at, query, sight } = asked
  const sees = (id: string) => sight.sees('door', id)
  const { found, shown, ...numbers } = pageOfEntries(doorEntries(index, { user: user._id, at }), { query, sees })
  const list: UserAccess = { ...numbers, at: iso(at), user, items: shown.flatMap(rowsOf) }
  return { list, found, rowsOf }

  function rowsOf(entry: Entry): UserAccess['items'] {
    const door = index.doors.get(entry.id)
    if (!door) return []
    return [{ door: doorRow(index, { door, sight }), ...accessRow(index, { user: user._id, door, at, entry, sight }) }]
  }
}
