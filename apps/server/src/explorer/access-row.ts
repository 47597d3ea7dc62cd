import type { AccessRule, OpeningState } from '@portcullis/contract/calls/explorer'
import { bestAtDoor } from '@portcullis/domain/explore/explore-access'
import type { PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import { type Opening, openingsAtDoor, presentableAt, readersOf } from '@portcullis/domain/explore/openings'
import type { Door } from '@portcullis/domain/policy'
import { accessRules } from './access-rules.ts'
import type { Entry } from './access-entries.ts'
import type { Sight } from './sight.ts'

type Asked = { user: string; door: Door; at: number; entry: Entry; sight: Sight }

/** Everything that is told of one person at one door. */
export function accessRow(index: PolicyIndex, { user, door, at, entry, sight }: Asked) {
  const { verdict, reason } = bestAtDoor(index, { user, door, at }).decision
  const state: OpeningState = entry.state
  const rules: AccessRule[] = accessRules(index, { user, door, sight })
  const opens = openingsAtDoor(index, { user, door, at }).map(({ direction, opening }) => ({
    direction,
    span: spanOf(opening),
  }))
  const credentials = presentableAt(index, { user, door }).length
  return { _id: entry.id, state, verdict, reason, credentials, opens, rules }
}

/** A door as it is told of, with its site and the zone in which its schedules are read. */
export function doorRow({ sites }: PolicyIndex, { door, sight }: { door: Door; sight: Sight }) {
  const { _id, name, account, site } = door
  const timeZone = sites.get(site)?.timeZone ?? null
  return { _id, name, account, readers: readersOf(door), site: { ...sight.named('site', site), timeZone } }
}

function spanOf(opening: Opening | null) {
  return opening && { from: iso(opening.from), until: opening.until === null ? null : iso(opening.until) }
}

export function iso(at: number) {
  return new Date(at).toISOString()
}
