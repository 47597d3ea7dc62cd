import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import type { EventRow } from './event-row.ts'

const personRow = z.object({ user: z.uuid(), name: z.string(), title: z.string().nullable() })

/** How the people of these events are called now; the title is that of the membership nearest to home. */
export async function peopleNames(tx: Transaction, events: readonly EventRow[]) {
  const users = [...new Set(events.flatMap(({ user }) => user ?? []))]
  if (users.length === 0) return new Map<string, { user: string; title: string | null }>()
  const rows = await tx.rows(
    personRow,
    sql`select distinct on (person_id) person_id as user, person_name as name, membership_title as title
          from person left join membership on membership_user = person_id
         where person_id = any(${users}::uuid[])
         order by person_id, membership_account = person_home desc, membership_account`,
  )
  return new Map(rows.map(({ user, name, title }) => [user, { user: name, title }]))
}
