import type { PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import sql, { empty, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { commandPeople, requestersOf } from '../commands/command-status.ts'
import type { Transaction } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import { configsOfRecords } from './configs-of-records.ts'
import { leftOutOfUnit } from './left-out-of-unit.ts'
import { unitPlace, unitPlaceRow } from './open-frame.ts'
import type { NumberedRecord } from './record-events.ts'
import { UnitRefused } from './refusal.ts'

type IngestContextInput = { unit: string; logId: string; records: readonly NumberedRecord[]; index: PolicyIndex }

/** What the database knows about the records of a frame. */
export type IngestContext = Awaited<ReturnType<typeof readIngestContext>>

/**
 * Locks the acknowledged sequence of a log, then reads the data for its records. One round trip does both, so the names of
 * users come from the policy in memory. `acknowledged` is undefined for a new log.
 */
export async function readIngestContext(tx: Transaction, { unit, logId, records, index }: IngestContextInput) {
  const [mark, place, configs, leftOut, operators, names] = await Promise.all([
    tx.first(
      z.object({ seq: z.number() }),
      prepared(sql`select unit_mark_seq as seq from unit_mark
        where unit_mark_unit = ${unit} and unit_mark_log = ${logId} for no key update`),
    ),
    tx.first(unitPlaceRow, unitPlace(unit)),
    configsOfRecords(tx, { unit, records }),
    leftOutOfUnit(tx, { unit, records }),
    commandPeople(tx, { unit, records }),
    peopleNames(tx, { users: holdersOf(records, index), requesters: requestersOf({ unit, records }) }),
  ])
  if (!place) throw new UnitRefused('unknown_unit')
  return { acknowledged: mark?.seq, place, configs, leftOut, operators, names }
}

/** The users of the credentials that were presented. */
function holdersOf(records: readonly NumberedRecord[], { credentialsByNumber }: PolicyIndex) {
  const numbers = new Set(records.flatMap(({ record }) => (record?.type === 'access' ? [record.number] : [])))
  const credentials = [...numbers].flatMap((number) => credentialsByNumber.get(number) ?? [])
  return [...new Set(credentials.flatMap(({ user }) => user ?? []))]
}

const personRow = z.object({ id: z.uuid(), name: z.string(), title: z.string().nullable() })

type PeopleNames = Map<string, { user: string; title: string | null }>
/** `requesters`: a query that finds more users. */
type PeopleNamesInput = { users: readonly string[]; requesters?: Sql | undefined }

/** The current names of users; the title is that of the membership in their home account, if any. */
export async function peopleNames(tx: Transaction, { users, requesters }: PeopleNamesInput): Promise<PeopleNames> {
  if (users.length === 0 && !requesters) return new Map()
  const rows = await tx.rows(
    personRow,
    prepared(sql`select distinct on (person_id) person_id as id, person_name as name, membership_title as title
      from person left join membership on membership_user = person_id
     where person_id = any(${users}::uuid[] ${requesters ? sql`|| array(${requesters})` : empty})
     order by person_id, membership_account = person_home desc, membership_account`),
  )
  return new Map(rows.map(({ id, name, title }) => [id, { user: name, title }]))
}
