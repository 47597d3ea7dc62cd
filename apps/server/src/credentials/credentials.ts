import { readNumber } from '@portcullis/contract/collections/credentials'
import { problem } from '@portcullis/contract/errors/problem'
import { isMask, isSealedKind, maskOf } from '@portcullis/contract/sealed-numbers'
import { isMarkedAsPin, numberAlone } from '@portcullis/domain/decision/presented-credential'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { demandField } from '../abilities/access.ts'
import type { CollectionHooks, Writing } from '../collections/collection-hooks.ts'
import { requireValidPeriod } from '../collections/require-valid-period.ts'
import type { Transaction } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import { AppError } from '../errors/app-error.ts'
import { unusable } from '../errors/unusable.ts'
import type { Item } from '../history/record-history.ts'
import type { CredentialNumbers } from '../numbers/credential-numbers.ts'
import { findSealed, findTaker, removeSealed, restoreSealed, retireSealed, sealNumber } from '../numbers/sealed-rows.ts'
import { demandHiddenNumberBudget, spendHiddenNumberBudget } from './hidden-number-budget.ts'
import { lookUpNumbers } from './look-up-numbers.ts'
import { numberAsRead } from './number-as-read.ts'

const text = z.string()

/**
 * Changing iButton numbers requires the right to manage iButton, in addition to any rights to Users (design §2). PINs and
 * numbers of QR codes and phones are stored encrypted, and their masks in their place (decision 0112).
 */
export function credentialHooks(numbers: CredentialNumbers): CollectionHooks {
  return {
    heldBy: 'user',
    asRead: { number: readNumber },

    async beforeCreate(writing, item, { id, isUndo }) {
      if (item['kind'] === 'iButton') demandField(writing.access, { field: 'number', subject: 'iButton' })
      requireValidPeriod(item)
      if (isMask(item['number'])) return restore(writing, id)
      const { key: account } = writing.access.account
      // The format may be deleted meanwhile, and the number may be older than the check of iButtons.
      const number = isUndo ? text.parse(item['number']) : await numberAsRead(writing.tx, { account, credential: item })
      requirePin({ ...item, number })
      return take(writing, { id, kind: item['kind'], number })
    },

    async beforePatch(writing, { before, changes }) {
      const after = await afterPatch(writing, { before, changes })
      const isOther = after['number'] !== before['number'] || after['kind'] !== before['kind']
      const isButton = before['kind'] === 'iButton' || after['kind'] === 'iButton'
      if (isOther && isButton) demandField(writing.access, { field: 'number', subject: 'iButton' })
      requireValidPeriod(after, changes)
      const wasSealed = isSealedKind(before['kind'])
      const isPinNoLonger = before['kind'] !== after['kind'] && [before['kind'], after['kind']].includes('pin')
      if (isPinNoLonger && after['number'] === before['number']) throw newNumberNeeded()
      requirePin(after)
      if (after['number'] === before['number']) {
        // The number of a card has been readable, and that of a QR code must not become so.
        if (wasSealed !== isSealedKind(after['kind'])) throw newNumberNeeded()
        return { number: after['number'] }
      }
      if (isMask(after['number'])) throw newNumberNeeded()
      const id = text.parse(before['_id'])
      if (wasSealed) await removeSealed(writing.tx, id)
      return take(writing, { id, kind: after['kind'], number: text.parse(after['number']) })
    },

    async beforeDelete({ tx }, item) {
      if (isSealedKind(item['kind'])) await retireSealed(tx, text.parse(item['_id']))
    },

    lookUp: (database, { access, given }) => lookUpNumbers(database, { numbers, access, given }),

    async takerOf(tx, { accounts, written }) {
      const { _id: id, kind } = written
      // Whose PIN it is would be a way to sign in as them at a door.
      if (kind === 'pin') return undefined
      if (isMask(written['number'])) return typeof id === 'string' ? findTaker(tx, id) : undefined
      const [account = 0] = accounts
      const { number: given, ...others } = written
      // A patch of the number alone does not contain the kind, and a stored number may be older than the printed one.
      const isGiven = kind === undefined
      const credential = typeof written['format'] === 'string' ? others : written
      const number = isGiven ? text.parse(given) : await numberAsRead(tx, { account, credential })
      const [found] = await findSealed(tx, { accounts, hashes: [numbers.hashOfGiven(number)] })
      return found?.credential ?? (isGiven ? undefined : findReadable(tx, { account, kind: text.parse(kind), number }))
    },
  }

  type Taken = { id: string; kind: unknown; number: string }

  /** Takes a number that no credential of the account has, of any kind, and returns the value to store in the row. */
  async function take({ tx, access }: Writing, { id, kind, number }: Taken) {
    const { key: account } = access.account
    if (kind === 'pin') demandHiddenNumberBudget(access.person._id)
    const stored = numberAlone({ kind, number })
    const hash = numbers.hash(stored)
    // Two indexes keep numbers unique: one of readable numbers, one of hashes.
    tx.send(prepared(sql`select pg_advisory_xact_lock(${numberLock}, hashtext(${hash.toString('hex')}))`))
    if (!isSealedKind(kind)) {
      const found = await findSealed(tx, { accounts: [account], hashes: [hash] })
      if (found.some(({ credential }) => credential !== id)) throw taken()
      return { number }
    }
    const open = await tx.cells(sql`select from credential where credential_account = ${account}
      and credential_number = ${stored} and credential_id <> ${id}`)
    if (open.length > 0) throw taken()
    if (kind === 'pin' && (await isTakenPin({ tx, account, id, hash }))) {
      spendHiddenNumberBudget(access.person._id)
      throw taken()
    }
    await sealNumber(tx, { numbers, account, credential: id, number: stored })
    return { number: maskOf(number, kind) }
  }
}

type Patch = { before: Item; changes: Item }
const cardFields = ['kind', 'number', 'format', 'facility', 'printed'] as const

/** The credential after a patch, with its number as read where the patch concerns it. */
async function afterPatch({ tx, access }: Writing, { before, changes }: Patch): Promise<Item> {
  const after = { ...before, ...changes }
  if (isMask(after['number']) || !cardFields.some((field) => field in changes && changes[field] !== before[field])) {
    return after
  }
  const { number, ...others } = after
  const credential = 'number' in changes || after['format'] === null ? { ...others, number } : others
  return { ...after, number: await numberAsRead(tx, { account: access.account.key, credential }) }
}

/**
 * The card or iButton of the account with this number as read. Only of the written kind: users who write iButtons may see
 * their numbers, and those who write cards may not.
 */
async function findReadable(
  tx: Transaction,
  { account, kind, number }: Record<'kind' | 'number', string> & { account: number },
) {
  const found = await tx.first(
    z.object({ _id: z.uuid() }),
    sql`select credential_id as _id from credential where credential_account = ${account}
      and credential_number = ${number} and credential_kind = ${kind}`,
  )
  return found?._id
}

async function isTakenPin({ tx, account, id, hash }: { tx: Transaction; account: number; id: string; hash: Buffer }) {
  const found = await findSealed(tx, { accounts: [account], hashes: [hash] })
  return found.some(({ credential }) => credential !== id)
}

/** A PIN has 4 to 8 digits, and no other number raises a silent alarm. */
function requirePin({ kind, number, duress }: Item) {
  if (kind === 'pin' && !isMask(number) && !/^\d{4,8}$/.test(text.parse(number))) {
    throw unusable('number', problem('invalid_pin'))
  }
  // Otherwise it would be taken for the PIN of a user.
  if (kind !== 'pin' && isMarkedAsPin(text.parse(number))) throw unusable('number', problem('reserved_number'))
  if (duress === true && kind !== 'pin') throw unusable('duress', problem('duress_without_pin'))
}

/** Advisory-lock namespace. */
const numberLock = 7_361_912

/** For the undo of a deletion; other creations cannot send a mask. */
async function restore({ tx }: Writing, id: string) {
  if (!(await restoreSealed(tx, id))) throw newNumberNeeded()
  return {}
}

function newNumberNeeded() {
  return unusable('number', problem('new_number_needed'))
}

function taken() {
  return new AppError('taken', { field: 'number' }, { at: ['number'] })
}
