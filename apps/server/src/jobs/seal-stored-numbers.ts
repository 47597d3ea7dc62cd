import { setTimeout as delay } from 'node:timers/promises'
import { isMask, isSealedKind, maskOf } from '@portcullis/contract/sealed-numbers'
import type { FastifyBaseLogger } from 'fastify'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database, Transaction } from '../database/database.ts'
import type { CredentialNumbers } from '../numbers/credential-numbers.ts'
import { sealNumber } from '../numbers/sealed-rows.ts'

type SealStoredOptions = { database: Database; numbers: CredentialNumbers; signal: AbortSignal }

const retryMs = 60_000
const pauseMs = 5

/** Seals what earlier versions stored, beside all other work. */
export function startSealing({
  database,
  numbers,
  log,
}: Omit<SealStoredOptions, 'signal'> & { log: FastifyBaseLogger }) {
  const ended = new AbortController()
  const { signal } = ended
  const sealing = (async () => {
    while (!signal.aborted) {
      try {
        await sealStoredNumbers({ database, numbers, signal })
        return
      } catch (error) {
        if (signal.aborted) return
        log.warn({ err: error }, 'sealing stored credential numbers failed; will retry in a minute')
        await delay(retryMs, undefined, { signal }).catch(() => {})
      }
    }
  })()
  return {
    async stop() {
      ended.abort()
      await sealing
    },
  }
}

/** Advisory-lock namespace. */
const sealingLock = 7_361_913

/**
 * Seals the numbers of QR codes and phones that earlier versions, or the filling of a database, have stored in readable
 * form, and masks them in history and events. It works in slices, each in its own transaction, and on one server at a
 * time. After an interruption it starts again, and only the rest is left to seal.
 */
export async function sealStoredNumbers({ database, numbers, signal }: SealStoredOptions) {
  const slices = async (next: (tx: Transaction, last: string) => Promise<string | undefined>) => {
    for (let last: string | undefined = first; last !== undefined && !signal.aborted; ) {
      const from: string = last
      last = await database.asSystem(async (tx) => {
        await tx.run(sql`select pg_advisory_xact_lock(${sealingLock})`)
        return next(tx, from)
      })
      await delay(pauseMs)
    }
  }
  const found = await database.asSystem((tx) => tx.first(z.object({ isDone: z.boolean() }), isDone))
  if (found?.isDone) return
  await slices((tx) => sealCredentials(tx, numbers))
  await slices((tx, last) => maskHistory(tx, { numbers, last }))
  await slices(maskEvents)
  if (signal.aborted) return
  await database.asSystem((tx) => tx.run(sql`update installation set installation_numbers_sealed = true`))
}

const first = '00000000-0000-0000-0000-000000000000'

/** The second condition finds numbers that a filling of the database has added since. */
const isDone = sql`select installation_numbers_sealed and not exists (
    select from credential where credential_kind in ('qr', 'mobile') and credential_number !~ '^•') as "isDone"
  from installation`

const credentialRow = z.object({ credential: z.uuid(), account: z.int(), number: z.string() })
const credentialsAtOnce = 200

async function sealCredentials(tx: Transaction, numbers: CredentialNumbers) {
  const rows = await tx.rows(
    credentialRow,
    sql`select credential_id as credential, credential_account as account, credential_number as number from credential
         where credential_kind in ('qr', 'mobile') and credential_number !~ '^•' limit ${credentialsAtOnce} for update`,
  )
  for (const row of rows) {
    await sealNumber(tx, { numbers, ...row })
    await tx.run(sql`update credential set credential_number = ${maskOf(row.number)}
      where credential_id = ${row.credential}`)
  }
  return rows.length === credentialsAtOnce ? first : undefined
}

const document = z.record(z.string(), z.unknown()).nullable()
const entryRow = z.object({
  id: z.uuid(),
  account: z.int(),
  item: z.uuid().nullable(),
  action: z.string(),
  before: document,
  after: document,
  isCredential: z.boolean(),
  wasSealed: z.boolean(),
})
const entriesAtOnce = 1_000

/** Reads the entries by id; those of a credential that is or was a QR code or a phone lose its numbers. */
async function maskHistory(tx: Transaction, { numbers, last }: { numbers: CredentialNumbers; last: string }) {
  const rows = await tx.rows(
    entryRow,
    sql`select history_id as id, history_account as account, history_item as item, history_action as action,
           case when is_credential then history_before end as before,
           case when is_credential then history_after end as after, is_credential as "isCredential",
           is_credential and (
             exists (select from credential where credential_id = history_item and credential_kind in ('qr', 'mobile'))
             or exists (select from history other where other.history_account = entry.history_account
                 and other.history_item = entry.history_item and (other.history_before ->> 'kind' in ('qr', 'mobile')
                   or other.history_after ->> 'kind' in ('qr', 'mobile')))) as "wasSealed"
          from (select *, history_collection = 'credentials' and history_item is not null as is_credential
                  from history where history_id > ${last} order by history_id limit ${entriesAtOnce}) entry
         order by history_id`,
  )
  for (const row of rows.filter(({ wasSealed }) => wasSealed)) await maskEntry(tx, { numbers, row })
  return rows.length === entriesAtOnce ? rows.at(-1)?.id : undefined
}

type Entry = z.output<typeof entryRow>

async function maskEntry(tx: Transaction, { numbers, row }: { numbers: CredentialNumbers; row: Entry }) {
  const [before, after] = [maskedDocument(row.before), maskedDocument(row.after)]
  if (before === row.before && after === row.after) return
  const number = row.before?.['number']
  if (row.action === 'delete' && row.item !== null && typeof number === 'string' && before !== row.before) {
    await keepDeleted(tx, { numbers, account: row.account, credential: row.item, number })
  }
  await tx.run(sql`update history set history_before = ${jsonOrNull(before)}::jsonb, history_after = ${jsonOrNull(after)}::jsonb
    where history_id = ${row.id}`)
}

/** The number of a deleted credential, so that the deletion can still be undone. */
async function keepDeleted(tx: Transaction, { numbers, ...row }: Parameters<typeof sealNumber>[1]) {
  await tx.run(sql`insert into sealed_number (sealed_number_credential, sealed_number_account, sealed_number_hash,
      sealed_number_value, sealed_number_deleted_at)
    values (${row.credential}, ${row.account}, ${numbers.hash(row.number)}, ${numbers.seal(row.number, row.credential)}, now())
    on conflict do nothing`)
}

/** The number of a document that does not say the kind may be a secret too. */
function maskedDocument(whole: z.output<typeof document>) {
  const { kind, number } = whole ?? {}
  const isOpen = kind !== undefined && !isSealedKind(kind)
  return isOpen || typeof number !== 'string' || isMask(number) ? whole : { ...whole, number: maskOf(number) }
}

function jsonOrNull(whole: z.output<typeof document>) {
  return whole === null ? null : JSON.stringify(whole)
}

const eventsAtOnce = 5_000
const lastRow = z.object({ last: z.uuid().nullable(), count: z.number() })

async function maskEvents(tx: Transaction, last: string) {
  const slice = sql`select event_id from event where event_id > ${last} order by event_id limit ${eventsAtOnce}`
  const read = await tx.first(
    lastRow,
    sql`select (array_agg(event_id order by event_id desc))[1] as last, count(*) as count from (${slice}) slice`,
  )
  if (!read || read.last === null) return undefined
  const within = sql`event_id > ${last} and event_id <= ${read.last}`
  const number = sql`(event_data ->> 'number')`
  await tx.run(sql`update event set event_data = jsonb_set(event_data::jsonb, '{number}',
      to_jsonb('••••' || right(${number}, least(4, length(${number}) / 2))))::json
    where ${within} and event_category = 'access' and ${number} !~ '^•'
      and (event_data ->> 'kind' in ('qr', 'mobile')
        or event_credential in (select sealed_number_credential from sealed_number))`)
  await tx.run(sql`update event set event_data = jsonb_set(event_data::jsonb, '{raw}', to_jsonb(
      regexp_replace(event_data ->> 'raw', '("number": ?)("[^"]*"|[0-9.]+)', '\\1"••••"', 'g')))::json
    where ${within} and event_type = 'unit.unreadable_record' and event_data ->> 'raw' ~ '"number"'`)
  return read.count === eventsAtOnce ? read.last : undefined
}
