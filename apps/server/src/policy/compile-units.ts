import { createHash } from 'node:crypto'
import { credentialKey } from '@portcullis/controllers/credential-key'
import { compileUnit } from '@portcullis/domain/configuration/compile-unit'
import { configSize } from '@portcullis/domain/configuration/config-size'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { recordChanges } from '../changes/record-change.ts'
import type { Database, Transaction } from '../database/database.ts'
import type { CurrentPolicy, Policies } from './policies.ts'

type Parts = { database: Database; policies: Policies; now: () => number }

const unitRow = z.object({
  id: z.uuid(),
  account: z.int(),
  secret: z.instanceof(Buffer),
  version: z.int().nullable(),
  hash: z.string().nullable(),
  isMeasured: z.boolean(),
})

/**
 * Makes the configuration of every enrolled unit of an account tree anew, and keeps those that came out different as the
 * next desired version. Answers the ids of these units.
 */
export function compileUnits({ database, policies, now }: Parts, root: number) {
  return database.asSystem(async (tx) => {
    await tx.run(sql`select pg_advisory_xact_lock(7361906, ${root})`)
    const units = await tx.rows(
      unitRow,
      sql`select unit_id as id, unit_account as account, unit_secret_secret as secret, unit_config_version as version,
             unit_config_hash as hash, unit_state_config_size is not null as "isMeasured"
            from unit join unit_state on unit_state_id = unit_id join account on account_key = unit_account
            join unit_secret on unit_secret_unit = unit_id
            left join lateral (select unit_config_version, unit_config_hash from unit_config
                                where unit_config_unit = unit_id order by unit_config_version desc limit 1) latest on true
           where account_root = ${root}`,
    )
    if (units.length === 0) return []
    const policy = await policies.inTransaction(tx, root)
    const changed: string[] = []
    for (const unit of units) if (await compileOne(tx, { unit, policy, at: now() })) changed.push(unit.id)
    return changed
  })
}

type One = { unit: z.output<typeof unitRow>; policy: CurrentPolicy; at: number }

async function compileOne(tx: Transaction, { unit, policy, at }: One) {
  const { id, account, secret, version, hash, isMeasured } = unit
  const key = secret.toString('base64')
  const hashNumber = (number: string) => credentialKey(key, number)
  const config = compileUnit({ index: policy.index, unit: id, at, hashNumber })
  const body = Buffer.from(JSON.stringify(config))
  const newHash = createHash('sha256').update(body).digest('hex')
  if (newHash !== hash || !isMeasured) {
    const size = JSON.stringify(configSize(config))
    await tx.run(sql`update unit_state set unit_state_config_size = ${size}::jsonb where unit_state_id = ${id}`)
  }
  if (newHash === hash) return false
  const next = (version ?? 0) + 1
  await tx.run(sql`insert into unit_config (unit_config_unit, unit_config_version, unit_config_policy_version,
      unit_config_hash, unit_config_body) values (${id}, ${next}, ${policy.version}, ${newHash}, ${body})`)
  await tx.run(sql`update unit_state set unit_state_desired_version = ${next} where unit_state_id = ${id}`)
  await recordChanges(tx, [{ account, collection: 'units', item: id, action: 'save', isPolicy: false }])
  return true
}
