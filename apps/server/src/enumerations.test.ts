import { commandStatuses } from '@portcullis/contract/calls/units'
import { outboxMail } from '@portcullis/contract/calls/outbox'
import { collections } from '@portcullis/contract/collections/registry'
import { languageCodes } from '@portcullis/contract/languages'
import { unwrapped } from '@portcullis/contract/fields'
import { directions } from '@portcullis/domain/policy'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { committedChange } from './changes/committed-change.ts'
import { mailContent } from './mail/mail-content.ts'
import { tableOf } from './query/columns.ts'
import { emailLinkPurposes } from './own-account/email/email-links.ts'
import { createTestDatabase, type TestDatabase } from './database/test-database.ts'

let database: TestDatabase
let client: pg.Client
beforeAll(async () => {
  database = await createTestDatabase()
  client = new pg.Client(database.databaseUrl)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

/** The tables behind the collections that are views. */
const tablesOfViews: Readonly<Record<string, string>> = { audit_log: 'history', user: 'membership' }

/** Enumerations of tables that no collection shows. */
const innerEnumerations: Readonly<Record<string, readonly string[]>> = {
  change_action: committedChange.shape.action.options,
  email_link_purpose: emailLinkPurposes,
  // As written by the two triggers.
  link_history_action: ['added', 'removed'],
  mail_kind: mailContent.options.map(({ shape }) => shape.kind.value),
  mail_status: outboxMail.shape.status.options,
  passage_direction: directions,
  passage_late_direction: directions,
  person_language: languageCodes,
  unit_command_action: ['unlockOnce'],
  unit_command_status: commandStatuses,
}

test("every enumeration has a check constraint with the contract's values, and no other column has one", async () => {
  const { rows } = await client.query<{ column: string; definition: string }>(
    `select attname as column, pg_get_constraintdef(pg_constraint.oid) as definition
       from pg_constraint join pg_attribute on attrelid = conrelid and array[attnum] = conkey
      where contype = 'c' and coninhcount = 0 and pg_get_constraintdef(pg_constraint.oid) ~ '''::text'`,
  )
  const checked = rows.map(({ column, definition }) => [column, valuesIn(definition)] as const)
  const declared = [...ofCollections(), ...Object.entries(innerEnumerations)].map(
    ([column, values]) => [column, values.toSorted()] as const,
  )
  expect(Object.fromEntries(checked)).toEqual(Object.fromEntries(declared))
})

test('every constraint that a migration added without looking at the stored rows is validated by a later one', async () => {
  const { rows } = await client.query('select conname from pg_constraint where not convalidated')
  expect(rows).toEqual([])
})

function ofCollections() {
  return Object.values(collections).flatMap((collection) => {
    const { columns } = tableOf(collection)
    return Object.entries<z.core.$ZodType>(collection.entitySchema.shape).flatMap(([field, schema]) => {
      const values = valuesOf(unwrapped(schema))
      const column = columns.get(field)?.bare.sql.replaceAll('"', '') ?? ''
      return values === undefined ? [] : [[columnBehind(column), values] as const]
    })
  })
}

function columnBehind(column: string) {
  const view = Object.keys(tablesOfViews).find((name) => column.startsWith(`${name}_`))
  // No table begins with the name of a view, except groups of users.
  return view === undefined ? column : column.replace(view, tablesOfViews[view] ?? view)
}

function valuesOf(schema: z.core.$ZodType): readonly string[] | undefined {
  if (schema instanceof z.ZodEnum) return schema.options.map(String)
  if (schema instanceof z.ZodLiteral) return [...schema.values].map(String)
  return undefined
}

function valuesIn(definition: string) {
  return [...definition.matchAll(/'([^']+)'::text/g)].map(([, value = '']) => value).toSorted()
}
