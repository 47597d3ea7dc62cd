import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'

const backlog = z.object({ controllersWithFault: z.int(), policiesToCompile: z.int() })

/** How many controllers cannot get the current configuration, and how many account trees are not compiled yet. */
export async function configurationBacklog(database: Database) {
  const [[[text] = []] = []] = await database.askSystem([
    prepared(sql`select json_build_object(
      'controllersWithFault', (select count(*) from unit_state where unit_state_fault is not null),
      'policiesToCompile', (select count(*) from policy where policy_version > policy_compiled_version))`),
  ])
  return backlog.parse(JSON.parse(text ?? ''))
}
