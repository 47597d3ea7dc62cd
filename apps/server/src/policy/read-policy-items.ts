import { credentials } from '@portcullis/contract/collections/credentials'
import { withoutPinMark } from '@portcullis/domain/decision/presented-credential'
import type { PolicyList } from '@portcullis/domain/decision/update-index'
import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import type { CredentialNumbers } from '../numbers/credential-numbers.ts'
import { tableOf, withTable } from '../query/columns.ts'
import { readItems } from '../query/read-items.ts'
import { storedLists } from './stored-policy.ts'

type ReadPolicyItemsInput = { list: PolicyList; where: Sql; numbers: CredentialNumbers }

/** Items of a policy as JSON; numbers that are stored encrypted are decrypted, in memory only. */
export async function readPolicyItems(tx: Transaction, { list, where, numbers }: ReadPolicyItemsInput) {
  const { collection, schema } = storedLists[list]
  const fields = Object.keys(schema.shape)
  if (list !== 'credentials') return readItems(tx, { collection, fields, where })
  const rows = await readItems(tx, { collection: sealedCredentials, fields, where })
  return rows.map((row) => (row.item.includes(`"${marker}`) ? { ...row, item: opened(row.item, numbers) } : row))
}

/** No number begins so. */
const marker = 'sealed:'

const sealedCredentials = withSealedNumbers()

/** Credentials with their encrypted numbers, where they have one: numbers of earlier versions are encrypted only later. */
function withSealedNumbers() {
  const table = tableOf(credentials)
  const columns = new Map(table.columns)
  const number = columns.get('number')
  if (!number) throw new Error('credentials have no number')
  const output = sql`case when credential_kind in ('pin', 'qr', 'mobile') then coalesce((
      select ${marker} || encode(sealed_number_value, 'base64') from sealed_number
       where sealed_number_credential = credential_id and sealed_number_deleted_at is null), ${number.output})
    else ${number.output} end`
  columns.set('number', { ...number, output })
  return withTable(credentials, { ...table, columns })
}

const sealedItem = z.looseObject({ _id: z.string(), number: z.string() })

/** One that cannot be decrypted has no number, and so is left out and reported. */
function opened(text: string, numbers: CredentialNumbers) {
  const item = sealedItem.parse(JSON.parse(text))
  return JSON.stringify({ ...item, number: numberOf(item, numbers) })
}

function numberOf({ _id, number }: z.output<typeof sealedItem>, numbers: CredentialNumbers) {
  try {
    return withoutPinMark(numbers.open(Buffer.from(number.slice(marker.length), 'base64'), _id))
  } catch {
    return null
  }
}
