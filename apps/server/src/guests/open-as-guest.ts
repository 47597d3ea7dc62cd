import type { OutputOf } from '@portcullis/contract/call'
import type { guestRefusals, openAsGuest as openCall } from '@portcullis/contract/calls/guests'
import { type Decision, decideAccess } from '@portcullis/domain/decision/decide-access'
import type { DoorConditions } from '@portcullis/domain/decision/access-facts'
import { gatherFacts, type PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import { readersOf } from '@portcullis/domain/explore/openings'
import type { Door } from '@portcullis/domain/policy'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { unlockOnce } from '../commands/commands.ts'
import type { Transaction } from '../database/database.ts'
import { leftOutByUnit } from '../desired/left-out-by-unit.ts'
import { AppError } from '../errors/app-error.ts'
import { eventRow } from '../ingest/event-row.ts'
import { storeEvents } from '../ingest/store-events.ts'
import { accessOfLink, doorsOfLink, type GuestLink, type PolicySource } from './guest-link.ts'

type OpenInput = { link: GuestLink | undefined; door: string; requestId: string }

/** Decides for the credential of the link as the reader does, then unlocks the door once. */
export async function openAsGuest(
  source: PolicySource,
  { link, door: id, requestId }: OpenInput,
): Promise<OutputOf<typeof openCall>> {
  const before = await accessOfLink(source, link)
  if (!link) return { refused: 'adhoc_ended', access: before }
  const { index } = await source.policies.latestOfAccount(link.account)
  const door = doorsOfLink(index, link).find(({ _id }) => _id === id)
  if (!door && before.access !== null) throw new AppError('not_found', { collection: 'doors' })
  const refused = door && before.access !== null ? await refusalAt(source, { index, door, link }) : 'adhoc_ended'
  if (refused !== null) {
    if (door) await recordRefusal(source, { index, door, link, refused })
    return { refused, access: before }
  }
  await command(source, { link, door: id, requestId })
  return { refused: null, access: await accessOfLink(source, link) }
}

type At = { index: PolicyIndex; door: Door; link: GuestLink }

async function refusalAt({ database }: PolicySource, { index, door, link }: At) {
  const leftOut = door.unit === null ? undefined : (await leftOutByUnit(database, [door.unit])).get(door.unit)
  const [direction = 'entry'] = readersOf(door)
  const facts = gatherFacts(index, {
    door: door._id,
    direction,
    at: Date.parse(link.now),
    credential: link.credential,
    leftOut,
  })
  const { reason }: Decision = decideAccess(facts)
  if (reason !== null) return reason
  // Also for users whom it lets pass: controllers refuse commands during a lockdown.
  if (facts.door?.mode === 'lockdown') return 'door_locked_down'
  return needsReader(facts.door?.conditions) ? 'needs_reader' : null
}

/** The server does not know where users are, so a link would be a way past these checks. */
function needsReader({ areas = [], firstPersonGroup }: DoorConditions = {}) {
  return firstPersonGroup !== undefined || areas.some(({ kind }) => kind !== 'soft')
}

type Refusal = At & { refused: (typeof guestRefusals)[number] }

/**
 * Stores a refused press as an event at the door, at most once a minute for one guest, door and reason. A link that ended
 * over an hour ago leaves no event: it may stay in a mailbox for ever.
 */
async function recordRefusal({ database }: PolicySource, { index, door, link, refused }: Refusal) {
  const { name: site, timeZone } = index.sites.get(door.site) ?? {}
  if (link.until !== null && Date.parse(link.now) > Date.parse(link.until) + recordedAfterEndMs) return
  await database.asSystem(async (tx) => {
    const place = await tx.first(placeRow, placeOf(door._id))
    if (!place || (await isRecordedAlready(tx, { ...place, door: door._id, guest: link.guest._id, refused }))) return
    const row = eventRow({
      type: 'access.guest_refused',
      account: place.account,
      occurredAt: link.now,
      site: door.site,
      door: door._id,
      unit: place.unit,
      user: link.guest._id,
      credential: link.credential,
      reason: refused === 'needs_reader' ? null : refused,
      policyVersion: index.version,
      data: {
        names: { door: door.name, site, timeZone, user: link.guest.name },
        note: { code: 'guest_refused', reason: refused },
      },
    })
    storeEvents(tx, [row])
  })
}

const recordedAfterEndMs = 3_600_000

type RecordedInput = { account: number; door: string; guest: string; refused: Refusal['refused'] }

async function isRecordedAlready(tx: Transaction, { account, door, guest, refused }: RecordedInput) {
  // Of simultaneous presses, the one that gets the lock records.
  const lock = await tx.first(
    z.object({ isLocked: z.boolean() }),
    sql`select pg_try_advisory_xact_lock(hashtextextended(${`guest refused ${guest} ${door} ${refused}`}, 0)) as "isLocked"`,
  )
  const recent = await tx.run(
    sql`select from event
         where event_account = ${account} and event_user = ${guest} and event_occurred_at > now() - interval '1 minute'
           and event_type = 'access.guest_refused' and event_door = ${door} and event_data -> 'note' ->> 'reason' = ${refused}
         limit 1`,
  )
  return !lock?.isLocked || recent > 0
}

const placeRow = z.object({ account: z.int(), unit: z.uuid().nullable(), number: z.int().nullable() })

function placeOf(door: string) {
  return sql`select door_account as account, door_unit as unit, door_unit_door as number from door where door_id = ${door}`
}

/** The lock makes a double press one command. */
function command({ database }: PolicySource, { link, door, requestId }: OpenInput & { link: GuestLink }) {
  const { guest, tokenHash, root } = link
  return database.asSystem(async (tx) => {
    const held = await tx.run(sql`select from guest_link where guest_link_token_hash = ${tokenHash} for update`)
    const underway = await tx.run(sql`select from unit_command
      where unit_command_requested_by = ${guest._id} and unit_command_door = ${door}
        and (unit_command_requested_at > now() - interval '2 seconds'
          or (unit_command_status in ('requested', 'sent') and unit_command_expires_at > now()))`)
    if (held === 0 || underway > 0) return
    const place = await tx.first(placeRow, placeOf(door))
    if (!place) throw new AppError('not_found', { collection: 'doors' })
    await unlockOnce(tx, { door, ...place, actor: { person: guest, account: { root }, assumed: null, requestId } })
  })
}
