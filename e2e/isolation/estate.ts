import { createClient } from '@portcullis/client/client'
import type { Role } from '@portcullis/contract/abilities'
import { accounts } from '@portcullis/contract/collections/accounts'
import { contacts } from '@portcullis/contract/collections/contacts'
import { credentials } from '@portcullis/contract/collections/credentials'
import { doors } from '@portcullis/contract/collections/doors'
import { rules } from '@portcullis/contract/collections/rules'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { users } from '@portcullis/contract/collections/users'
import { generateKeys } from '@portcullis/controllers/keys'
import { Database } from '@portcullis/server/database/database'
import { openSession } from '@portcullis/server/sessions/session-store'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { enrolUnit, type UnitIdentity, unitIdentity } from './test-unit.ts'

/** A customer: an account with an administrator, an App user, a site, doors at one controller, and a card. */
const party = z.object({
  ref: z.string(),
  key: z.int(),
  admin: z.object({ id: z.uuid(), email: z.string(), cookie: z.string() }),
  appUser: z.object({ id: z.uuid(), email: z.string(), cookie: z.string() }),
  site: z.uuid(),
  door: z.uuid(),
  contact: z.uuid(),
  unit: unitIdentity,
  card: z.string(),
})
export type Party = z.output<typeof party>

const logins = z.object({ web: z.string(), system: z.string() })

/** The data that attackers and bystanders use; it is sent to the attackers' process. */
export const estate = z.object({
  url: z.string(),
  logins,
  harbour: party,
  ravine: party,
  /** Ravine’s other controllers, enrolled before the attacks, after which enrolments are limited for a while. */
  fuzzedUnits: z.array(unitIdentity),
})
export type Estate = z.output<typeof estate>

export const password = 'a gate that survives everything'
const manyEvents = 60_000
/** Each may arrive once every two seconds, and random frames often end its connection. */
const fuzzedCount = 64

type BuildEstateInput = { url: string; logins: Estate['logins']; headers: { cookie: string }; events?: number }

/** Two customers in one account tree, whose controllers are compiled together: Ravine attacks, Harbour works on. */
export async function buildEstate({ url, logins, headers, events = manyEvents }: BuildEstateInput): Promise<Estate> {
  const database = new Database({ logins, connections: 4 })
  try {
    const client = createClient({ baseUrl: url, account: () => null, headers: () => headers })
    const make = async (name: string) => {
      await client.of(accounts).create({ name, ref: name.toLowerCase() })
      return makeParty({ url, database, headers, ref: name.toLowerCase() })
    }
    const [harbour, ravine] = [await make('Harbour'), await make('Ravine')]
    await fillEvents(database, { ...ravine, events })
    const owned = createClient({ baseUrl: url, account: () => ravine.ref, headers: () => headers })
    const fuzzedUnits: UnitIdentity[] = []
    for (let index = 1; index <= fuzzedCount; index += 1) {
      const serial = `ravine-fuzzed-${index}`
      fuzzedUnits.push(await makeUnit({ url, client: owned, serial, site: ravine.site }))
    }
    return { url, logins, harbour, ravine, fuzzedUnits }
  } finally {
    await database.close()
  }
}

type MakePartyInput = { url: string; database: Database; headers: { cookie: string }; ref: string }

async function makeParty({ url, database, headers, ref }: MakePartyInput): Promise<Party> {
  const client = createClient({ baseUrl: url, account: () => ref, headers: () => headers })
  const site = await client.of(sites).create({ name: `${ref} quay`, timeZone: 'Europe/Amsterdam' })
  const unit = await makeUnit({ url, client, serial: `${ref}-1`, site: site._id })
  const door = await client.of(doors).create({ name: `${ref} gate`, site: site._id, unit: unit.id, unitDoor: 1 })
  const contact = await client.of(contacts).create({ name: 'Facilities' })
  const person = await client.of(users).create({ name: 'Nomsa Dlamini' })
  const card = ref === 'harbour' ? '4711' : '4712'
  await client.of(credentials).create({ kind: 'card', number: card, user: person._id })
  await client.of(rules).create({
    name: 'Everywhere',
    effect: 'allow',
    who: [{ kind: 'User', id: person._id }],
    where: [{ kind: 'Site', id: site._id }],
  })
  const user = async (role: Role) => {
    const email = `${role.toLowerCase()}@${ref}.example`
    const options = { name: `A ${role}`, email, role, password, verified: true, idleTime: 86_400 }
    const { _id: id } = await client.of(users).create(options)
    return { id, email, cookie: await cookieOf(database, id) }
  }
  const key = await keyOf(database, ref)
  const people = { admin: await user('admin'), appUser: await user('appUser') }
  return {
    ref,
    key,
    ...people,
    site: site._id,
    door: door._id,
    contact: contact._id,
    unit,
    card,
  }
}

type MakeUnitInput = { url: string; client: ReturnType<typeof createClient>; serial: string; site: string }

/** A controller that has enrolled with its own key. */
async function makeUnit({ url, client, serial, site }: MakeUnitInput): Promise<UnitIdentity> {
  const { _id: id } = await client.of(units).create({ name: `Gate ${serial}`, serial, site })
  const keys = generateKeys()
  const { code } = await client.enrolUnit(id)
  await enrolUnit({ url, code, serial, keys })
  return { id, serial, ...keys }
}

/** The cookie of a new session of this user. */
export async function cookieOf(database: Database, person: string) {
  return `portcullis=${await openSession(database, { person, address: '127.0.0.1', device: undefined })}`
}

export async function keyOf(database: Database, ref: string) {
  const row = await database.asSystem((tx) =>
    tx.first(z.object({ key: z.int() }), sql`select account_key as key from account where account_ref = ${ref}`),
  )
  return z.object({ key: z.int() }).parse(row).key
}

/** Enough events that an unbounded search or export of them takes time. */
async function fillEvents(database: Database, { key, door, events }: Party & { events: number }) {
  await database.asSystem((tx) =>
    tx.run(sql`insert into event (event_id, event_account, event_type, event_category, event_severity, event_door,
        event_outcome, event_occurred_at, event_data)
      select uuidv7(), ${key}, 'access.granted', 'access', 'info', ${door}, 'granted', now() - n * interval '1 second',
        json_build_object('number', n::text, 'names', json_build_object('door', 'Gate ' || n))
        from generate_series(1, ${events}::int) n`),
  )
}
