import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import { metaOf } from '@portcullis/contract/fields'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import type { Database, Transaction } from '@portcullis/server/database/database'
import { buttonOf, canaryOf } from './marks.ts'
import type { Place } from './places.ts'

export type Storing = {
  place: Place
  account: number
  /** The account's own item of a collection. */
  own: (collection: string) => string
  /** The item that the account's logs and lists name: for some accounts one that has since moved to another account. */
  named: (collection: string) => string
}

/** Rows that no call writes: logs, commands, and links to items that have since moved to another account. */
export function storeRows(database: Database, storing: Storing) {
  return database.asSystem(async (tx) => {
    await storeEvent(tx, storing)
    await storeTask(tx, storing)
    await storeLinks(tx, storing)
    await storePicture(tx, storing)
    await storeFloorPlanImage(tx, storing)
    return { command: await storeCommand(tx, storing), lockdown: await storeLockdowns(tx, storing) }
  })
}

/** Dated tomorrow, so that it comes first on each page. */
function storeEvent(tx: Transaction, { place, account, named }: Storing) {
  const canary = `${canaryOf(place)}-event`
  const names = { door: canary, user: canary, site: canary }
  const data = { names, number: buttonOf(place), kind: 'iButton', detail: canary }
  return tx.run(sql`insert into event (event_id, event_account, event_type, event_category, event_severity, event_outcome,
      event_site, event_door, event_unit, event_user, event_credential, event_occurred_at, event_data)
    values (${uuidv7()}, ${account}, 'access.granted', 'access', 'info', 'granted', ${named('sites')}, ${named('doors')},
      ${named('units')}, ${named('users')}, ${named('credentials')}, now() + interval '1 day', ${JSON.stringify(data)})`)
}

function storeTask(tx: Transaction, { place, account, named }: Storing) {
  const canary = `${canaryOf(place)}-task`
  const data = JSON.stringify({ expiresAfterSeconds: 60, authAction: 'unlockOnce' })
  return tx.run(sql`insert into task (task_id, task_account, task_type, task_status, task_user, task_user_name, task_door,
      task_door_name, task_site_name, task_expires_at, task_data)
    values (${uuidv7()}, ${account}, 'RemoteAuthRequest', 'Requested', ${named('users')}, ${canary}, ${named('doors')},
      ${canary}, ${canary}, now() + interval '1 day', ${data})`)
}

async function storeCommand(tx: Transaction, { account, own }: Storing) {
  const id = uuidv7()
  await tx.run(sql`insert into unit_command (unit_command_id, unit_command_account, unit_command_unit, unit_command_door,
      unit_command_unit_door, unit_command_action, unit_command_expires_at)
    values (${id}, ${account}, ${own('units')}, ${own('doors')}, 1, 'unlockOnce', now() + interval '1 day')`)
  return id
}

/** The active one of the account's plan, and one that has ended, whose id it returns. */
async function storeLockdowns(tx: Transaction, { place, account, own }: Storing) {
  const [canary, ended] = [`${canaryOf(place)}-lockdown`, uuidv7()]
  await tx.run(sql`insert into lockdown (lockdown_id, lockdown_account, lockdown_plan, lockdown_name, lockdown_started_by,
      lockdown_started_by_name, lockdown_ended_at)
    values (${uuidv7()}, ${account}, ${own('lockdownPlans')}, ${canary}, ${own('users')}, ${canary}, null),
           (${ended}, ${account}, ${own('lockdownPlans')}, ${canary}, ${own('users')}, ${canary}, now())`)
  return ended
}

/** The picture contains only the canary. */
function storePicture(tx: Transaction, { place, account }: Storing) {
  const canary = `${canaryOf(place)}-picture`
  return tx.run(sql`insert into account_image (account_image_account, account_image_tag, account_image_bytes)
    values (${account}, ${canary}, ${Buffer.from(canary)})`)
}

/** The image contains only the canary. */
function storeFloorPlanImage(tx: Transaction, { place, account, own }: Storing) {
  const canary = `${canaryOf(place)}-floor-plan`
  return tx.run(sql`insert into floor_plan_image (floor_plan_image_id, floor_plan_image_account, floor_plan_image_tag,
      floor_plan_image_bytes) values (${own('floorPlans')}, ${account}, ${canary}, ${Buffer.from(canary)})`)
}

/** Groups and rules still name items that moved to another account. */
async function storeLinks(tx: Transaction, { account, own, named }: Storing) {
  for (const { owner, field, kind, collection } of linksOfGroups()) {
    const target = named(collection)
    if (target === own(collection)) continue
    await tx.run(sql`insert into link (link_account, link_owner, link_field, link_kind, link_target)
      values (${account}, ${own(owner)}, ${field}, ${kind}, ${target})`)
  }
}

function linksOfGroups() {
  return Object.values<Collection>(collections).flatMap(({ name: owner, fields: { optional, required } }) =>
    Object.entries({ ...required, ...optional }).flatMap(([field, schema]) => {
      const meta = metaOf(schema)
      if (meta?.kind !== 'links' || meta.direction !== 'from') return []
      return meta.of
        .filter(({ collection }) => moved.includes(collection))
        .map(({ kind, collection }) => ({ owner, field, kind, collection }))
    }),
  )
}

/** Collections with an item that moved to another account, while logs and groups of the old account still name it. */
export const moved = ['sites', 'units', 'doors', 'users', 'credentials']
