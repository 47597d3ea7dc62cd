import type { InputOf } from '@portcullis/contract/call'
import { type createCards, maxCards } from '@portcullis/contract/calls/cards'
import { credentials } from '@portcullis/contract/collections/credentials'
import { problem } from '@portcullis/contract/errors/problem'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { examinePlans, type Plan, writePlans } from '../collections/write-many.ts'
import type { Transaction } from '../database/database.ts'
import { unusable } from '../errors/unusable.ts'
import type { CredentialNumbers } from '../numbers/credential-numbers.ts'
import { findSealed } from '../numbers/sealed-rows.ts'
import { findFormat, numberOfCard } from './number-as-read.ts'

type RangeInput = { access: Access; input: InputOf<typeof createCards>; numbers: CredentialNumbers }

/** Creates the cards of a range whose numbers are free. */
export async function createRange(tx: Transaction, { access, input, numbers }: RangeInput) {
  const { key: account } = access.account
  const { format: name, facility, from, to } = input
  if (to < from) throw unusable('to', problem('below_minimum', { minimum: from }))
  if (to - from >= maxCards) throw unusable('to', problem('above_maximum', { maximum: from + maxCards - 1 }))
  const format = await findFormat(tx, { account, format: name })
  const cards = Array.from({ length: to - from + 1 }, (_, at) => {
    const printed = `${from + at}`
    return { printed, number: numberOfCard(format, { facility, printed }) }
  })
  const taken = await findTaken(tx, { account, numbers, all: cards.map(({ number }) => number) })
  const blank = credentials.createSchema.parse({ kind: 'card', format: name, facility, printed: '0' })
  const plans = cards
    .filter(({ number }) => !taken.has(number))
    .map((card): Plan => ({ action: 'create', id: uuidv7(), item: { ...blank, ...card } }))
  const examined = await examinePlans(tx, { collection: credentials, access, plans })
  await writePlans(tx, { collection: credentials, access, examined })
  return { created: plans.length, taken: cards.filter(({ number }) => taken.has(number)).map(({ printed }) => printed) }
}

type TakenInput = { account: number; numbers: CredentialNumbers; all: readonly string[] }

/** Those of the numbers that a credential of the account has, of any kind. */
async function findTaken(tx: Transaction, { account, numbers, all }: TakenInput): Promise<ReadonlySet<string>> {
  const numberOf = new Map(all.map((number) => [numbers.hash(number).toString('hex'), number]))
  const hashes = [...numberOf.keys()].map((hash) => Buffer.from(hash, 'hex'))
  const [open, sealed] = await Promise.all([
    tx.rows(
      z.object({ number: z.string() }),
      sql`select credential_number as number from credential
           where credential_account = ${account} and credential_number = any(${[...all]}::text[])`,
    ),
    findSealed(tx, { accounts: [account], hashes }),
  ])
  return new Set([
    ...open.map(({ number }) => number),
    ...sealed.flatMap(({ hash }) => numberOf.get(hash.toString('hex')) ?? []),
  ])
}
