import { doorsOfRules } from '@portcullis/domain/decision/doors-of-rules'
import type { InputOf } from '@portcullis/contract/call'
import type { GuestPass, inviteGuest as inviteCall, renewGuest as renewCall } from '@portcullis/contract/calls/guests'
import { credentials } from '@portcullis/contract/collections/credentials'
import { rules } from '@portcullis/contract/collections/rules'
import { users } from '@portcullis/contract/collections/users'
import type { Collection } from '@portcullis/contract/collection'
import type { PolicyIndex } from '@portcullis/domain/decision/policy-index'
import { sameNumber } from '@portcullis/domain/decision/presented-credential'
import { randomBytes, randomInt } from 'node:crypto'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import type { CollectionHooks } from '../collections/collection-hooks.ts'
import { createItem, parseCreation } from '../collections/create.ts'
import { readItem } from '../collections/get.ts'
import { patchItem } from '../collections/patch.ts'
import type { Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { lockTree } from '../history/lock-tree.ts'
import type { Recorded } from '../history/record-history.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { hashOfToken, makeToken } from '../sessions/token.ts'

type Inviting = {
  access: Access
  hooksByCollection: Readonly<Record<string, CollectionHooks>>
  /** The URL of the console, in the brand of the account. */
  url: string
  index: PolicyIndex
}

type InviteInput = Inviting & { input: InputOf<typeof inviteCall> }

/** Creates a guest with a rule and credentials. Only the rule has hours: they end at the controller too, and are extended in one place. */
export async function inviteGuest(tx: Transaction, { input, ...inviting }: InviteInput): Promise<GuestPass> {
  const { access } = inviting
  const { name, email, doors, adhoc, by, note } = input
  lockTree(tx, { root: access.account.root, turn: 'alone' })
  const guest = await make(tx, { ...inviting, collection: users, body: { name } })
  const user = idOf(guest)
  const where = doors.map((id) => ({ kind: 'Door', id }))
  const body = { name, effect: 'allow', who: [{ kind: 'User', id: user }], where, adhoc, note }
  const made = await make(tx, { ...inviting, collection: rules, body, server: { guest: user } })
  const rule = { rule: idOf(made), user, doors, adhoc }
  const entries = [guest.entry, made.entry]
  const pass: GuestPass = { rule: rule.rule, user, code: null, link: null, entries }
  for (const way of new Set(by)) {
    const given = await give(tx, { ...inviting, ...rule, by: way, email })
    entries.push(given.entry)
    pass[way] = given.shown
  }
  return pass
}

type RenewInput = Inviting & { id: string; input: InputOf<typeof renewCall> }

/** Replaces the code or the link of a guest. */
export async function renewGuest(
  tx: Transaction,
  { id, input: { by, email }, ...inviting }: RenewInput,
): Promise<GuestPass> {
  const { access } = inviting
  lockTree(tx, { root: access.account.root, turn: 'alone' })
  const { guest, adhoc } = rules.entitySchema.parse(
    await readItem(tx, { collection: rules, accounts: [access.account.key], id }),
  )
  if (guest === null || adhoc === null) throw new AppError('not_found', { collection: rules.name })
  const rule = inviting.index.rules.get(id)
  const doors = rule ? [...doorsOfRules(inviting.index, [rule])].map(({ _id }) => _id) : []
  const { entry, shown } = await give(tx, { ...inviting, rule: id, user: guest, doors, adhoc, by, email })
  return { rule: id, user: guest, code: null, link: null, entries: [entry], [by]: shown }
}

type GuestRule = { rule: string; user: string; doors: readonly string[]; adhoc: { from: string; until: string } }
type GiveInput = Inviting & GuestRule & { by: 'code' | 'link'; email: string | null }

async function give(tx: Transaction, input: GiveInput) {
  return input.by === 'code' ? giveCode(tx, input) : giveLink(tx, input)
}

async function giveCode(tx: Transaction, input: GiveInput) {
  const { index, doors } = input
  if (!doors.some((id) => index.doors.get(id)?.acceptsPinAlone)) throw new AppError('no_door_takes_pins')
  const { entry, number: code } = await setFreePin(tx, input)
  await mail(tx, input, { kind: 'guest_code', code })
  return { entry, shown: code }
}

const mostTries = 5

/** A PIN that no credential of the account tree has. */
async function setFreePin(tx: Transaction, input: GiveInput, tries = 1): Promise<{ entry: string; number: string }> {
  const number = randomInt(1_000_000).toString().padStart(6, '0')
  try {
    if (sameNumber(input.index, { kind: 'pin', number }).length > 0) throw new AppError('taken', { field: 'number' })
    const { entry } = await setCredential(tx, { ...input, kind: 'pin', number })
    return { entry, number }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'taken' || tries === mostTries) throw error
    return setFreePin(tx, input, tries + 1)
  }
}

/** The link presents a credential, so whatever stops credentials stops it too. */
async function giveLink(tx: Transaction, input: GiveInput) {
  const { access, url, rule } = input
  const number = randomBytes(16).toString('hex')
  const { entry, _id } = await setCredential(tx, { ...input, kind: 'mobile', number })
  const token = makeToken()
  await tx.run(sql`insert into guest_link (guest_link_rule, guest_link_account, guest_link_credential, guest_link_token_hash,
      guest_link_invited_by_name)
    values (${rule}, ${access.account.key}, ${_id}, ${hashOfToken(token)}, ${access.person.name})
    on conflict (guest_link_rule) do update set guest_link_credential = excluded.guest_link_credential,
      guest_link_token_hash = excluded.guest_link_token_hash, guest_link_created_at = now(),
      guest_link_invited_by_name = excluded.guest_link_invited_by_name`)
  await mail(tx, input, { kind: 'guest_link', token })
  return { entry, shown: `${url}/guest#${token}` }
}

type Way = { kind: 'guest_link'; token: string } | { kind: 'guest_code'; code: string }

async function mail(tx: Transaction, { access, index, user, doors, adhoc, email }: GiveInput, way: Way) {
  if (email === null) return
  const found = doors.flatMap((id) => index.doors.get(id) ?? [])
  const timeZone = index.sites.get(found[0]?.site ?? '')?.timeZone ?? 'UTC'
  const content = { ...way, account: access.account.name, doors: found.map(({ name }) => name), ...adhoc, timeZone }
  await queueMail(tx, { person: user, address: email, content })
}

type SetCredentialInput = Inviting & { user: string; kind: 'pin' | 'mobile'; number: string }

/** Gives the guest's credential of this kind a new number, or creates it. */
async function setCredential(tx: Transaction, { kind, number, user, ...inviting }: SetCredentialInput) {
  const { access, hooksByCollection } = inviting
  const found = await tx.first(
    z.object({ id: z.uuid() }),
    sql`select credential_id as id from credential
         where credential_user = ${user} and credential_account = ${access.account.key} and credential_kind = ${kind}
         order by credential_id limit 1`,
  )
  if (!found) {
    const made = await make(tx, { ...inviting, collection: credentials, body: { kind, number, user } })
    return { _id: idOf(made), entry: made.entry }
  }
  const { entry } = await patchItem(tx, {
    collection: credentials,
    hooks: hooksByCollection[credentials.name] ?? {},
    access,
    id: found.id,
    changes: { number, status: 'active' },
    expected: undefined,
  })
  return { _id: found.id, entry }
}

type MakeInput = Inviting & { collection: Collection; body: object; server?: object }

async function make(tx: Transaction, { access, hooksByCollection, collection, body, server = {} }: MakeInput) {
  const { item } = await parseCreation({ collection, access, body })
  const hooks = hooksByCollection[collection.name] ?? {}
  return createItem(tx, { collection, hooks, access, item: { ...item, ...server } })
}

function idOf({ item }: Recorded) {
  return z.uuid().parse(item['_id'])
}
