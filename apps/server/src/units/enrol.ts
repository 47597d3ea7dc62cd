import { createHash, randomBytes, randomInt } from 'node:crypto'
import { units } from '@portcullis/contract/collections/units'
import type { UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import { enrolText } from '@portcullis/contract/unit-protocol/signed-texts'
import { isSigned } from '@portcullis/controllers/keys'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { recordChanges } from '../changes/record-change.ts'
import { recordHistory } from '../history/record-history.ts'
import type { CollectionHooks } from '../collections/collection-hooks.ts'
import type { Database, Transaction } from '../database/database.ts'
import { UnitRefused } from '../ingest/refusal.ts'
import { storeUnitEvents } from '../ingest/unit-events.ts'
import { forgetHardware } from './forget-hardware.ts'

/** A controller that is restored after its deletion has to enrol again. */
export const unitHooks: CollectionHooks = {
  lostOnDelete: ({ enrolledAt }) => (typeof enrolledAt === 'string' ? ['enrolledAt'] : []),
}

const codeHours = 24
/** Letters and digits that are not confused on a small screen. */
const codeAlphabet = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'

/** Creates the code with which a unit enrols once; an older unused one, whose end is returned, becomes invalid. */
export async function issueEnrolmentCode(tx: Transaction, unit: string) {
  const letters = Array.from({ length: 12 }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join('')
  const code = letters.replace(/(.{4})(?=.)/g, '$1-')
  const replaced = await tx.first(
    codeEndRow,
    sql`delete from unit_enrolment where unit_enrolment_unit = ${unit} and unit_enrolment_used_at is null
        returning unit_enrolment_expires_at as "expiresAt"`,
  )
  const row = await tx.first(
    codeEndRow,
    sql`insert into unit_enrolment (unit_enrolment_code_hash, unit_enrolment_unit, unit_enrolment_expires_at)
        values (${hashOf(code)}, ${unit}, now() + make_interval(hours => ${codeHours}))
        returning unit_enrolment_expires_at as "expiresAt"`,
  )
  if (!row) throw new Error('the enrolment code was not stored')
  return { code, expiresAt: row.expiresAt, replacedUntil: replaced?.expiresAt ?? null }
}

/** The same for a user, whom the audit log names. */
export async function issueRecordedCode(tx: Transaction, { access, unit }: { access: Access; unit: string }) {
  const { replacedUntil, ...created } = await issueEnrolmentCode(tx, unit)
  const change = await recordHistory(tx, {
    access,
    account: access.account.key,
    collection: units.name,
    item: unit,
    action: 'patch',
    before: { enrolmentCodeUntil: replacedUntil },
    after: { enrolmentCodeUntil: created.expiresAt },
    policyVersion: null,
  })
  await recordChanges(tx, [change])
  return created
}

const codeEndRow = z.object({ expiresAt: z.iso.datetime() })

type EnrolFrame = Extract<UnitFrame, { type: 'enrol' }>

/** `serverKey` is the key that the answer makes the unit trust. */
type EnrolInput = { frame: EnrolFrame; nonce: string; serverKey: string }

const codeRow = z.object({
  unit: z.uuid(),
  name: z.string(),
  serial: z.string(),
  isUsed: z.boolean(),
  publicKey: z.instanceof(Buffer).nullable(),
  secret: z.instanceof(Buffer).nullable(),
})

/**
 * Stores a unit's key for a one-time code and returns the data that the unit needs. The same unit may repeat the call
 * with the code, because its power may have failed before it stored the answer; other units may not.
 */
export function enrol(database: Database, { frame, nonce, serverKey }: EnrolInput) {
  const { code, serial, publicKey, signature } = frame
  if (!isSigned({ publicKey, text: enrolText({ nonce, code, serial }), signature }))
    throw new UnitRefused('bad_signature')
  const key = Buffer.from(publicKey, 'base64')
  return database.asSystem(async (tx) => {
    const row = await lockCode(tx, code)
    if (!row) throw new UnitRefused('bad_code')
    const isSame = row.publicKey?.equals(key) ?? false
    if (row.isUsed && !isSame) throw new UnitRefused('already_enrolled', { unit: row.unit })
    if (row.serial !== serial) {
      throw new UnitRefused('serial_mismatch', { detail: `This unit says ${serial}.`, unit: row.unit })
    }
    const secret = (isSame ? row.secret : null) ?? randomBytes(32)
    if (!row.isUsed && !isSame) await forgetHardware(tx, row.unit)
    if (!row.isUsed) await keep(tx, { ...row, ...frame, key, secret, serverKey: Buffer.from(serverKey, 'base64') })
    return { unit: row.unit, name: row.name, secret: secret.toString('base64') }
  })
}

/** Two units with one code take turns here. */
function lockCode(tx: Transaction, code: string) {
  return tx.first(
    codeRow,
    sql`select unit_id as unit, unit_name as name, unit_serial as serial,
           unit_enrolment_used_at is not null as "isUsed",
           (select unit_secret_public_key from unit_secret where unit_secret_unit = unit_id) as "publicKey",
           (select unit_secret_secret from unit_secret where unit_secret_unit = unit_id) as secret
          from unit_enrolment join unit on unit_id = unit_enrolment_unit
         where unit_enrolment_code_hash = ${hashOf(code)} and unit_enrolment_expires_at > now()
           for update of unit_enrolment`,
  )
}

type KeepInput = {
  unit: string
  code: string
  key: Buffer
  secret: Buffer
  serverKey: Buffer
  model?: string | undefined
  firmware?: string | undefined
}

async function keep(tx: Transaction, { unit, code, key, secret, serverKey, model, firmware }: KeepInput) {
  await tx.run(
    sql`update unit_enrolment set unit_enrolment_used_at = now() where unit_enrolment_code_hash = ${hashOf(code)}`,
  )
  await tx.run(
    sql`insert into unit_secret (unit_secret_unit, unit_secret_public_key, unit_secret_secret, unit_secret_server_key)
        values (${unit}, ${key}, ${secret}, ${serverKey})
        on conflict (unit_secret_unit) do update
          set unit_secret_public_key = excluded.unit_secret_public_key, unit_secret_secret = excluded.unit_secret_secret,
            unit_secret_server_key = excluded.unit_secret_server_key`,
  )
  await tx.run(
    sql`update unit set unit_enrolled_at = now(), unit_model = coalesce(unit_model, ${model ?? null}) where unit_id = ${unit}`,
  )
  // A connection with an earlier key no longer blocks the one with this key. Its hello has the capacity for its configuration.
  await tx.run(sql`update unit_state set unit_state_config_size = null, unit_state_firmware = ${firmware ?? null}, unit_state_lease_holder = null,
      unit_state_lease_until = now() where unit_state_id = ${unit}`)
  await storeUnitEvents(tx, { units: [unit], type: 'unit.enrolled' })
}

function hashOf(code: string) {
  return createHash('sha256').update(code.trim().toUpperCase()).digest()
}
