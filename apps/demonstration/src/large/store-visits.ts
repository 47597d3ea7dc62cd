import type pg from 'pg'
import type { Visit } from './visits.ts'

const batch = 2_000

/** Keeps the visits in a table that lasts as long as the connection. Answers how many there are. */
export async function storeVisits(owner: pg.Client, visits: Iterable<Visit>) {
  await owner.query(
    `create temporary table visit (visit_account int, visit_severity text, visit_site uuid, visit_door uuid, visit_unit uuid,
       visit_user uuid, visit_credential uuid, visit_outcome text, visit_reason text, visit_reasons jsonb, visit_version bigint,
       visit_data jsonb, visit_door_data jsonb, visit_ahead_hours int)`,
  )
  let count = 0
  let waiting: Visit[] = []
  let storing: Promise<unknown> = Promise.resolve()
  const flush = async () => {
    count += waiting.length
    const text = JSON.stringify(waiting)
    waiting = []
    await storing
    storing = owner.query(insertion, [text])
  }
  for (const visit of visits) {
    waiting.push(visit)
    if (waiting.length >= batch) await flush()
  }
  await flush()
  await storing
  await owner.query('analyze visit')
  return count
}

const insertion = `insert into visit
  select account, severity, site, door, unit, "user", credential, outcome, reason, reasons, "policyVersion", data,
         jsonb_build_object('names', (data->'names') - array['user', 'title']), "aheadHours"
    from jsonb_to_recordset($1::jsonb) as visit (account int, severity text, site uuid, door uuid, unit uuid, "user" uuid,
      credential uuid, outcome text, reason text, reasons jsonb, "policyVersion" bigint, data jsonb, "aheadHours" int)`
