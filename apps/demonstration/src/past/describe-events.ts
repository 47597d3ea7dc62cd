import type { Finding } from '@portcullis/domain/decision/finding'
import type { EventType } from '@portcullis/contract/event-types'
import { decideAccess } from '@portcullis/domain/decision/decide-access'
import { rulesForUserAtDoor } from '@portcullis/domain/decision/applying-rules'
import { doorOfUnit, gatherFacts, type PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import type { Door } from '@portcullis/domain/policy'
import type { ReasonCode } from '@portcullis/domain/decision/reasons'
import { resolveDecision } from '@portcullis/domain/decision/resolve-decision'
import { type EventRow, eventRow } from '@portcullis/server/ingest/event-row'
import type { Random } from '../random.ts'
import { presentedKind } from '../live/presented-kind.ts'
import { makeId } from '../world/chronicle.ts'
import type { PastSwipe } from './habits.ts'
import type { Outage } from '../world/past-incidents.ts'
import type { PolicyInTime, PolicyThen } from './policy-in-time.ts'

type EventDescriberInput = {
  policies: PolicyInTime
  /** Keys of the accounts by their ids. */
  accounts: ReadonlyMap<string, number>
  /** The titles of users, by their ids. */
  titles: ReadonlyMap<string, string | null>
  outages: readonly Outage[]
  random: Random
}

/** The cardholder and the credential that the findings of a decision name. */
function namedIn(findings: readonly Finding[]) {
  const user = findings.find(({ facts }) => facts.holder)?.facts.holder
  const credential = findings.find(({ facts }) => facts.credential)?.facts.credential
  return { user, credential }
}

/** Describes past events as the gateway would have stored them, with the policies of their time. */
export function eventDescriber({ policies, accounts, titles, outages, random }: EventDescriberInput) {
  return {
    /** A unit decides from its configuration, and the server evaluates the decision again with the current policy. */
    access(swipe: PastSwipe): EventRow {
      const { unit, unitDoor, number, direction, at } = swipe
      const place = placeOf(policies.at(at), { unit, unitDoor, at })
      const attempt = { unit, door: place.door?._id ?? '', credentialNumber: number, direction, at }
      // Users who requested access were granted it: past operators decided in time.
      const own = decideAccess(gatherFacts(place.ofUnit.index, { ...attempt, approval: 'granted' }))
      const isGranted = own.verdict === 'grant'
      const unitReason = reasonOnUnit(place.ofUnit.index, { unit, reason: own.reason, findings: own.findings })
      const isBehind = place.ofUnit.version !== place.current.version
      const { reason, findings, outOfStep } = isBehind
        ? resolveDecision(place.current.index, { attempt, unitVerdict: isGranted ? 'grant' : 'deny', unitReason })
        : { ...own, outOfStep: false }
      const { user, credential } = namedIn(findings)
      const outcome = isGranted ? 'granted' : 'denied'
      return row(place, {
        type: `access.${outcome}`,
        outcome,
        direction,
        reason,
        reasons: findings,
        user: user?._id ?? null,
        credential: credential?._id ?? null,
        data: {
          names: namesOf(user),
          number,
          kind: presentedKind(place.current.index, number),
          unitReason,
          ...(outOfStep ? { outOfStep } : {}),
        },
      })
    },

    door({ unit, unitDoor, at }: Where, what: DoorChange, detail?: string): EventRow {
      const data = detail === undefined ? {} : { data: { names: {}, detail } }
      return row(placeOf(policies.at(at), { unit, unitDoor, at }), { type: `door.${what}`, ...data })
    },

    /** The server reports a broken line, and does so at once. */
    presence({ unit, at }: { unit: string; at: number }, what: 'online' | 'offline'): EventRow {
      return row(
        { ...placeOf(policies.at(at), { unit, unitDoor: 0, at }), outage: undefined },
        { type: `unit.${what}` },
      )
    },
  }

  function namesOf(user: ReturnType<typeof namedIn>['user']) {
    return user ? { user: user.name, title: titles.get(user._id) ?? null } : {}
  }

  function placeOf(then: PolicyThen, { unit: id, unitDoor, at }: Where) {
    const { index } = then
    const unit = index.units.get(id)
    if (!unit) throw new Error(`there is no unit ${id}`)
    const door = doorOfUnit(index, id, unitDoor)
    const site = index.sites.get(door?.site ?? unit.site ?? '')
    const outage = outages.find((one) => one.unit === unit.name && one.from <= at && at < one.until)
    const ofUnit = outage ? policies.at(outage.from) : then
    return { current: then, ofUnit, unit, unitDoor, door, site, outage, at }
  }

  type Place = ReturnType<typeof placeOf>

  function row(place: Place, { data, ...fields }: Pick<EventRow, 'type'> & Partial<EventRow>): EventRow {
    const { unit, site, outage, at } = place
    const receivedAt = outage ? outage.until + random.between(200, 900) : at + arrivalMs(fields.type, random)
    return eventRow({
      ...fields,
      _id: makeId(receivedAt, random),
      account: accounts.get(unit.account) ?? 0,
      unit: unit._id,
      site: site?._id ?? null,
      door: place.door?._id ?? null,
      occurredAt: new Date(at).toISOString(),
      receivedAt: new Date(receivedAt).toISOString(),
      backfilled: outage !== undefined,
      policyVersion: place.ofUnit.version,
      data: { ...data, names: { unit: unit.name, site: site?.name ?? null, ...doorNames(place), ...data?.names } },
    })
  }
}

export type EventDescriber = ReturnType<typeof eventDescriber>
export type DoorChange = 'opened' | 'closed' | 'forced' | 'held' | 'restored' | 'exit_requested' | 'mode_changed'

type Where = { unit: string; unitDoor: number; at: number }

function arrivalMs(type: EventType, random: Random) {
  return type.startsWith('unit.') ? 0 : random.between(15, 140)
}

function doorNames({
  door,
  unitDoor,
  site,
}: {
  door: Door | undefined
  unitDoor: number
  site: { timeZone: string } | undefined
}) {
  if (unitDoor === 0) return {}
  return { door: door?.name ?? `Door ${unitDoor}`, ...(site && door ? { timeZone: site.timeZone } : {}) }
}

/** Units receive only cards that open one of their doors, and only users with a rule there. */
const unexplained: readonly ReasonCode[] = [
  'credential_unassigned',
  'credential_suspended',
  'credential_lost',
  'credential_stolen',
  'credential_revoked',
  'holder_inactive',
]
const ofPeople: readonly ReasonCode[] = [
  'not_yet_valid',
  'expired',
  'recertification_overdue',
  'denied_by_rule',
  'no_access',
]

type Decided = Pick<ReturnType<typeof decideAccess>, 'reason' | 'findings'> & { unit: string }

/** The reason that the unit can give from its own configuration. */
function reasonOnUnit(index: PolicyIndex, { unit, reason, findings }: Decided): ReasonCode | null {
  if (reason === null) return null
  if (unexplained.includes(reason)) return 'credential_unknown'
  if (!ofPeople.includes(reason)) return reason
  const holder = findings.find(({ facts }) => facts.holder)?.facts.holder
  return holder && isAdmitted(index, { unit, user: holder._id }) ? reason : 'credential_unknown'
}

function isAdmitted(index: PolicyIndex, { unit, user }: { unit: string; user: string }) {
  return (index.doorsOfUnit.get(unit) ?? []).some((door) =>
    rulesForUserAtDoor(index, { user, door }).some(({ rule }) => rule.effect === 'allow'),
  )
}
