import { doors } from '@portcullis/contract/collections/doors'
import type { ControlClient } from '@portcullis/controllers/control-client'
import type { FastifyBaseLogger } from 'fastify'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { patch } from '@portcullis/server/collections/patch'
import type { Database } from '@portcullis/server/database/database'
import { systemRandom } from '../random.ts'
import { troubles, virtualModel } from '../world/places.ts'
import { networkFaults } from './network-faults.ts'
import { startTimers } from './timers.ts'
import { rulesOfRole } from '@portcullis/contract/abilities'
import { v7 as uuidv7 } from 'uuid'
import type { Access } from '@portcullis/server/abilities/access'
import { signIns } from '../world/circumstances.ts'
import { hands } from '../world/hands.ts'

type StartTroublesOptions = { database: Database; control: () => ControlClient | undefined; log: FastifyBaseLogger }
type Controlled = Awaited<ReturnType<ControlClient['list']>>[number]

const everyMs = 5_000
/** How often the connection of a working controller breaks for a while. */
const outage = { leastMs: 12 * 60_000, maxMs: 35 * 60_000, forLeastMs: 75_000, forMaxMs: 150_000 } as const

/** Keeps the permanent faults of the demonstration, and sometimes breaks a connection, so that events arrive late. */
export function startTroubles({ database, control, log }: StartTroublesOptions) {
  const random = systemRandom()
  const timers = startTimers({ log, failed: 'a trouble could not be made' })
  let cutOff: string | undefined
  const networks = networkFaults()
  repeatLater()
  cutLater()
  return { stop: timers.stop }

  function repeatLater() {
    timers.after(everyMs, () => keep().finally(repeatLater))
  }

  function cutLater() {
    timers.after(random.between(outage.leastMs, outage.maxMs), () => cut().finally(cutLater))
  }

  async function keep() {
    const units = control()
    if (!units) return
    const versions = await readVersions(database)
    for (const unit of await units.list()) {
      const versionsOf = versions.get(unit.serial)
      // A unit without a configuration on the server cannot fall behind.
      if (unit.running && versionsOf?.applied) await trouble(units, { unit, versionsOf })
    }
  }

  async function trouble(units: ControlClient, { unit, versionsOf }: { unit: Controlled; versionsOf: UnitVersions }) {
    const { serial, faults } = unit
    const offline = serial === troubles.offline.serial || serial === cutOff
    await networks.keep(serial, {
      isOffline: faults.offline,
      desired: offline,
      apply: () => units.setFaults(serial, { offline }),
    })
    const behind = troubles.outOfStep.find((one) => one.serial === serial)
    if (behind && faults.memory !== behind.memory) await units.setFaults(serial, { memory: behind.memory })
    if (behind && versionsOf.desired === versionsOf.applied)
      await requestUnlock(database, { unit: versionsOf.unit, ...behind })
    const { serial: held, unitDoor: door } = troubles.heldOpen
    const isShut = unit.running?.doors.some(({ number, position }) => number === door && position === 'closed')
    if (serial === held && isShut) await units.operateDoor(serial, { door, what: 'held' })
  }

  async function cut() {
    const serials = (await control()?.list())?.map(({ serial }) => serial) ?? []
    cutOff = random.pick(serials)
    timers.after(random.between(outage.forLeastMs, outage.forMaxMs), async () => {
      cutOff = undefined
    })
  }
}

const versionRow = z.object({
  unit: z.uuid(),
  serial: z.string(),
  desired: z.int().nullable(),
  applied: z.int().nullable(),
})
type UnitVersions = z.output<typeof versionRow>

async function readVersions(database: Database) {
  const rows = await database.asSystem((tx) =>
    tx.rows(
      versionRow,
      sql`select unit_id as unit, unit_serial as serial, unit_state_desired_version as desired,
             unit_state_applied_version as applied
            from unit join unit_state on unit_state_id = unit_id where unit_model = ${virtualModel}`,
    ),
  )
  return new Map(rows.map((row) => [row.serial, row]))
}

const doorRow = z.object({ id: z.uuid(), account: z.int(), relock: z.int() })

/** The installer changes a door a little, so that there is a newer configuration than the applied one. */
async function requestUnlock(database: Database, { unit, unitDoor }: { unit: string; unitDoor: number }) {
  const door = await database.asSystem((tx) =>
    tx.first(
      doorRow,
      sql`select door_id as id, door_account as account, door_relock_after_seconds as relock
            from door where door_unit = ${unit} and door_unit_door = ${unitDoor}`,
    ),
  )
  const access = door && (await installerAccess(database, door.account))
  if (!access) return
  const body = { relockAfterSeconds: door.relock === 8 ? 5 : 8 }
  await patch(database, { collection: doors, hooks: {}, access, id: door.id, body })
}

const found = z.object({
  person: z.object({ _id: z.uuid(), name: z.string() }),
  account: z.object({
    _id: z.uuid(),
    key: z.int(),
    ref: z.string(),
    name: z.string(),
    root: z.int(),
    defaultTimeZone: z.string(),
  }),
  subtree: z.array(z.int()),
})

/** The demonstration's installer in an account; undefined if they were removed, or their role was changed. */
async function installerAccess(database: Database, account: number): Promise<Access | undefined> {
  const row = await database.asSystem((tx) =>
    tx.first(
      found,
      sql`select json_build_object('_id', person_id, 'name', person_name) as person,
             json_build_object('_id', account_id, 'key', account_key, 'ref', account_ref, 'name', account_name,
               'root', account_root, 'defaultTimeZone', account_default_time_zone) as account,
             array(select account_closure_descendant from account_closure
                    where account_closure_ancestor = account_key) as subtree
            from account join account_closure on account_closure_descendant = account_key
            join membership on membership_account = account_closure_ancestor
            join person on person_id = membership_user
           where account_key = ${account} and person_email = ${signIns[hands.installer]?.email ?? ''}
             and membership_role = ${role} and membership_status = 'active'`,
    ),
  )
  return (
    row && {
      ...row,
      person: { ...row.person, hyper: false },
      assumed: null,
      role,
      inherited: false,
      rules: rulesOfRole(role),
      covered: row.subtree,
      reads: [row.account.key],
      requestId: uuidv7(),
      freshUntil: null,
    }
  )
}

const role = 'installer'
