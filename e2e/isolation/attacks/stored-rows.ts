import { setTimeout as delay } from 'node:timers/promises'
import { Database } from '@portcullis/server/database/database'
import pg from 'pg'
import sql, { type Sql } from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { AnswerCounts, type Attack, attackMs } from '../attack.ts'
import type { Estate, Party } from '../estate.ts'
import { request } from '../request.ts'

/** Rows that an earlier release, an import or a person with psql may have written; each by its fault. */
function oddRows({ key, site, unit, appUser }: Party): Record<string, Sql> {
  const rule = uuidv7()
  const closed = JSON.stringify({ public: 'closed', company: 'closed', special: 'closed' })
  return {
    'a model without characters': sql`update unit set unit_model = '' where unit_id = ${unit.id}`,
    '1,001 groups of a user': sql`insert into link (link_account, link_owner, link_field, link_kind, link_target)
      select ${key}, uuidv7(), 'members', 'users', ${appUser.id} from generate_series(1, 1001)`,
    'a holiday before 1900': sql`insert into holiday (holiday_id, holiday_account, holiday_name, holiday_kind, holiday_dates)
      values (${uuidv7()}, ${key}, 'Old', 'public', '[{"from":"1850-01-01","until":"1850-01-02","recurring":true}]')`,
    'a holiday of a thousand years': sql`insert into holiday (holiday_id, holiday_account, holiday_name, holiday_kind, holiday_dates)
      values (${uuidv7()}, ${key}, 'Long', 'public', '[{"from":"0001-01-01","until":"9999-12-31","recurring":true}]')`,
    'dates that are none': sql`insert into holiday (holiday_id, holiday_account, holiday_name, holiday_kind, holiday_dates)
      values (${uuidv7()}, ${key}, 'None', 'public', '{"from":"tomorrow"}')`,
    'an unknown time zone': sql`update site set site_time_zone = 'Moon/Tranquility' where site_id = ${site}`,
    'windows that are none': sql`insert into schedule (schedule_id, schedule_account, schedule_name, schedule_windows, schedule_holiday_hours)
      values (${uuidv7()}, ${key}, 'Odd', '[{"days":[9],"start":"25:99","end":""}]', ${closed}::jsonb)`,
    'windows of another kind': sql`insert into schedule (schedule_id, schedule_account, schedule_name, schedule_windows, schedule_holiday_hours)
      values (${uuidv7()}, ${key}, 'Odder', '{"all":"day"}', '[]')`,
    'a rule with odd times': sql`insert into rule (rule_id, rule_account, rule_name, rule_effect, rule_direction, rule_enabled, rule_adhoc)
      values (${rule}, ${key}, 'Odd', 'deny', 'both', true, '{"start":"tomorrow"}')`,
    'a rule for users that do not exist': sql`insert into link (link_account, link_owner, link_field, link_kind, link_target)
      values (${key}, ${rule}, 'who', 'User', ${uuidv7()})`,
    'a deny rule for a robot': sql`insert into link (link_account, link_owner, link_field, link_kind, link_target)
      values (${key}, ${rule}, 'who', 'Robot', ${uuidv7()})`,
  }
}

const paths = ['units', 'users', 'holidays', 'sites', 'schedules', 'rules']

export const storedRowAttacks: readonly Attack[] = [
  {
    name: 'stored rows that the schema rejects',
    sends: '11 kinds of row by SQL, each followed by a change of the policy and by every list',
    run: storeOddRows,
  },
]

/** A value that a constraint or a type refuses; any other error means that the row no longer fits the schema. */
function isRefusedValue(error: unknown) {
  return error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '')
}

async function storeOddRows({ url, logins, ravine }: Estate) {
  const counts = new AnswerCounts()
  const database = new Database({ logins, connections: 2 })
  const headers = { cookie: ravine.admin.cookie, 'x-js-account': ravine.ref }
  const faults: string[] = []
  try {
    for (const [what, row] of Object.entries(oddRows(ravine))) {
      await database
        .asSystem((tx) => tx.run(row))
        .then(
          () => counts.add('row stored'),
          (error: unknown) => {
            counts.add(`refused by the database: ${what}`)
            if (!isRefusedValue(error)) faults.push(`${what}: ${String(error)}`)
          },
        )
      const body = { name: `After ${what}` }
      const { status } = await request({ url, method: 'PATCH', path: `/api/doors/${ravine.door}`, headers, body })
      if (status !== 200) faults.push(`${what}: saving a door answered ${status}`)
      for (const path of paths) {
        const answer = await request({ url, path: `/api/${path}?size=500`, headers })
        if (answer.status !== 200) faults.push(`${what}: the list of ${path} answered ${answer.status}`)
      }
      await delay(attackMs / 10)
    }
  } finally {
    await database.close()
  }
  return { happened: counts.sentence(), faults }
}
