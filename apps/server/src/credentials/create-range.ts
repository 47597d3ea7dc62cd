import type { InputOf } from '@portcullis/contract/call'
import { type createCards, maxCards } from '@portcullis/contract/calls/cards'
import { credentials } from '@portcullis/contract/collections/credentials'
import { problem } from '@portcullis/contract/errors/problem'
import { problemOfCard } from '@portcullis/contract/errors/problem-of-card'
import { encodeCard } from '@portcullis/domain/cards/card-format'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { examinePlans, type Plan, writePlans } from '../collections/write-many.ts'
import type { Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { unusable } from '../errors/unusable.ts'
import { lockTree } from '../history/lock-tree.ts'
import type { CredentialNumbers } from '../numbers/credential-numbers.ts'
import { findSealed } from '../numbers/sealed-rows.ts'
import { demandHiddenNumberBudget, spendHiddenNumberBudget } from './hidden-number-budget.ts'
import { findFormat } from './number-as-read.ts'

type RangeInput = { access: Access; input: InputOf<typeof createCards>; numbers: CredentialNumbers }

/** Creates the cards of a range whose numbers are free. Reports those that are cards already, and of other credentials not which. */
export async function createRange(tx: Transaction, { access, input, numbers }: RangeInput) {
  const { key: account, root } = access.account
  const { format: name, facility, from, to } = input
  if (to < from) throw unusable('to', problem('below_minimum', { minimum: from }))
  if (to - from >= maxCards) throw unusable('to', problem('above_maximum', { maximum: from + maxCards - 1 }))
  demandHiddenNumberBudget(access.person._id)
  // No other credential takes a number between this and the end.
  lockTree(tx, { root, turn: 'alone' })
  const format = await findFormat(tx, { account, format: name })
  const cards = Array.from({ length: to - from + 1 }, (_, at) => {
    const printed = `${from + at}`
    const card = encodeCard(format, { facility, printed })
    if ('fault' in card) throw unusable(card.field === 'printed' ? 'to' : card.field, problemOfCard(card))
    return { printed, number: card.number }
  })
  const { taken, isHiddenTaken } = await findTaken(tx, { account, numbers, all: cards.map(({ number }) => number) })
  if (isHiddenTaken) {
    spendHiddenNumberBudget(access.person._id)
    throw new AppError('range_not_free')
  }
  const blank = credentials.createSchema.parse({ kind: 'card', format: name, facility, printed: '0' })
  const plans = cards
    .filter(({ number }) => !taken.has(number))
    .map((card): Plan => ({ action: 'create', id: uuidv7(), item: { ...blank, ...card } }))
  const examined = await examinePlans(tx, { collection: credentials, access, plans })
  await writePlans(tx, { collection: credentials, access, examined })
  return { created: plans.length, taken: cards.filter(({ number }) => taken.has(number)).map(({ printed }) => printed) }
}

type TakenInput = { account: number; numbers: CredentialNumbers; all: readonly string[] }

/** Those of the numbers that a card of the account has, and whether a credential of another kind has one. */
async function findTaken(tx: Transaction, { account, numbers, all }: TakenInput) {
  const hashes = all.map((number) => numbers.hash(number))
  const [open, sealed] = await Promise.all([
    tx.rows(
      z.object({ number: z.string(), kind: z.string() }),
      sql`select credential_number as number, credential_kind as kind from credential
           where credential_account = ${account} and credential_number = any(${[...all]}::text[])`,
    ),
    findSealed(tx, { accounts: [account], hashes }),
  ])
  const cards = open.filter(({ kind }) => kind === 'card')
  return {
    taken: new Set(cards.map(({ number }) => number)),
    isHiddenTaken: sealed.length > 0 || cards.length < open.length,
  }
}
