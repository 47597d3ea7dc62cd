import { createHash } from 'node:crypto'
import sql, { type Sql } from 'sql-template-tag'

type TestConfig = {
  unit: string
  version: number
  /** A JSON object, or any text in braces. */
  text?: string
  hash?: string
  policyVersion?: number
  madeHoursAgo?: number
  replacedHoursAgo?: number | null
}

/** Statements that store a configuration with this text, as one piece. */
export function testConfig(config: TestConfig): Sql[] {
  const {
    unit,
    version,
    text = '{}',
    hash = 'hash',
    policyVersion = 1,
    madeHoursAgo = 0,
    replacedHoursAgo = null,
  } = config
  const entries = text.slice(1, -1)
  const digest = createHash('sha256').update(entries).digest('base64')
  const pieces = [{ section: 'head', digest, length: Buffer.byteLength(entries) }]
  return [
    sql`insert into unit_config_piece values (${unit}, ${digest}, ${entries}) on conflict do nothing`,
    sql`insert into unit_config (unit_config_unit, unit_config_version, unit_config_policy_version, unit_config_hash,
        unit_config_bytes, unit_config_pieces, unit_config_made_at, unit_config_replaced_at)
      values (${unit}, ${version}, ${policyVersion}, ${hash}, ${Buffer.byteLength(text)}, ${JSON.stringify(pieces)}::jsonb,
        now() - make_interval(hours => ${madeHoursAgo}), now() - make_interval(hours => ${replacedHoursAgo}))`,
  ]
}
