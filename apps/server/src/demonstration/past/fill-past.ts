import { policyIndex } from '@portcullis/domain/gather-facts'
import { v7 as uuidv7 } from 'uuid'
import type { Transaction } from '../../database/database.ts'
import type { CurrentPolicy, Policies } from '../../policy/policies.ts'
import { updateDoorStates } from '../../units/door-states.ts'
import { type EventRow, eventRow } from '../../units/event-row.ts'
import { openFrame } from '../../units/open-frame.ts'
import { recordEvents } from '../../units/record-events.ts'
import { storeEvents } from '../../units/store-events.ts'
import type { Random } from '../random.ts'
import { forcedDoors, type Happening, happeningsBefore, momentBefore, newcomer } from './happenings.ts'
import { type PastRecord, plainConfig, recordsOfUnit } from './records-of-unit.ts'
import { unhappyWeek, withoutService } from './unhappy-week.ts'
import { type PastSwipe, weekOfSwipes } from './week-of-swipes.ts'

type Asked = { root: number; policies: Policies; now: Date; random: Random }

const days = 7
const batch = 1_000

/**
 * Fills in what happened during the last days. Units decide, the server reads their decisions again, rows are made as the
 * gateway makes them. Answers how many events there are now.
 */
export async function fillPast(tx: Transaction, { root, policies, now, random }: Asked) {
  const policy = await policies.inTransaction(tx, root)
  const { index } = policy
  const happenings = happeningsBefore(now)
  const week = { index, now, days, random }
  const swipes = [...weekOfSwipes(week), ...unhappyWeek({ ...week, happenings })].filter(
    ({ at }) => at > now.getTime() - days * dayMs && at < now.getTime() - dayMs / 1_440,
  )
  const events: EventRow[] = []
  for (const unit of index.policy.units) {
    const own = happenings.filter((happening) => happening.unit === unit.name)
    const ofUnit = swipes.filter((swipe) => swipe.unit === unit._id)
    events.push(...(await eventsOfUnit(tx, { policy, policies, unit: unit._id, swipes: ofUnit, own, now, random })))
  }
  events.sort((a, b) => a.occurredAt.localeCompare(b.occurredAt))
  for (let start = 0; start < events.length; start += batch) await storeEvents(tx, events.slice(start, start + batch))
  await updateDoorStates(tx, events)
  return events.length
}

const dayMs = 86_400_000

type OfUnit = Pick<Asked, 'policies' | 'now' | 'random'> & {
  policy: CurrentPolicy
  unit: string
  swipes: readonly PastSwipe[]
  own: readonly Happening[]
}

async function eventsOfUnit(tx: Transaction, { policy, policies, unit, swipes, own, now, random }: OfUnit) {
  const { index, version } = policy
  const receivedAt = now.getTime()
  const frame = await openFrame(tx, { unit, policies, receivedAt, clockOffsetMs: null, logId: uuidv7() })
  const service = own.find(({ what }) => what === 'out_of_service')
  const indexInService = service ? withoutService(index, service.unit) : index
  const configs = {
    usual: plainConfig(index, { unit, at: receivedAt }),
    outOfService: plainConfig(indexInService, { unit, at: receivedAt }),
    beforeNewcomer: plainConfig(withoutNewcomer(index), { unit, at: receivedAt }),
  }
  const outages = own.filter(({ what }) => what === 'offline')
  const records = recordsOfUnit({
    swipes,
    forced: forcedAt(index.doorsOfUnit.get(unit) ?? [], now),
    configAt: (at) => {
      if (service && isDuring(service, at)) return configs.outOfService
      return outages.some((outage) => isDuring(outage, at)) ? configs.beforeNewcomer : configs.usual
    },
    random,
  })
  const tell = (told: readonly PastRecord[], during: typeof index) =>
    recordEvents(tx, {
      frame: { ...frame, index: during },
      records: told.map((record, seq) => ({ seq, body: record, record })),
    })
  const isInspected = ({ at }: PastRecord) => service !== undefined && isDuring(service, Date.parse(at))
  const events = [
    ...(await tell(
      records.filter((record) => !isInspected(record)),
      index,
    )),
    ...(await tell(records.filter(isInspected), indexInService)),
  ]
  const told = events.map((event) => ({ ...event, ...arrival({ event, outages, random }), policyVersion: version }))
  const presence = outages.flatMap(({ from, until }) => [
    eventRow({ ...frame.common, ...heardAt(from), log: null, type: 'unit.offline', data: frame.data }),
    eventRow({ ...frame.common, ...heardAt(until), log: null, type: 'unit.online', data: frame.data }),
  ])
  return [...told, ...presence]
}

/** Told at once, or when the line was back. */
function arrival({ event, outages, random }: { event: EventRow; outages: readonly Happening[]; random: Random }) {
  const at = Date.parse(event.occurredAt)
  const outage = outages.find((one) => isDuring(one, at))
  const receivedAt = outage ? outage.until + random.between(200, 900) : at + random.between(15, 140)
  return {
    _id: uuidv7({ msecs: receivedAt }),
    receivedAt: new Date(receivedAt).toISOString(),
    backfilled: outage !== undefined,
    log: null,
    seq: null,
  }
}

function heardAt(at: number) {
  const moment = new Date(at).toISOString()
  return { _id: uuidv7({ msecs: at }), occurredAt: moment, receivedAt: moment }
}

function isDuring({ from, until }: Happening, at: number) {
  return from <= at && at < until
}

type Index = CurrentPolicy['index']

function withoutNewcomer(index: Index) {
  const person = index.policy.users.find(({ name }) => name === newcomer.name)?._id
  return policyIndex({ ...index.policy, credentials: index.policy.credentials.filter(({ user }) => user !== person) })
}

function forcedAt(doors: Index['policy']['doors'], now: Date) {
  return forcedDoors.flatMap(({ door, ...moment }) => {
    const unitDoor = doors.find(({ name }) => name === door)?.unitDoor
    return unitDoor ? [{ unitDoor, at: momentBefore(now, moment) }] : []
  })
}
