import { isAllowed, type Subject } from '@portcullis/contract/abilities'
import type { Named } from '@portcullis/contract/calls/explorer'
import { isSealedKind, maskOf } from '@portcullis/contract/sealed-numbers'
import { descendantsOf } from '@portcullis/domain/account-tree'
import type { PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import type { Credential } from '@portcullis/domain/policy'
import type { Access } from '../abilities/access.ts'
import { itemOf } from './named-items.ts'

export type Scope = ReturnType<typeof scopeOf>

export type Kind = keyof typeof subjectOf

/** The items in scope: those of the accounts that the request reads, of kinds that the user may view. */
export function scopeOf(index: PolicyIndex, access: Access) {
  const { account, reads, rules } = access
  const below = reads.length > 1 ? descendantsOf([...index.accounts.values()], account._id) : []
  const accounts = new Set([account._id, ...below])
  return { accounts, sees, personOf, named, presented }

  function sees(kind: Kind, id: string): boolean {
    if (!isAllowed(rules, { action: 'view', subject: subjectOf[kind] })) return false
    if (kind === 'user') return membershipsOf(index, id).some((membership) => accounts.has(membership.account))
    const account = kind === 'credential' ? index.credentials.get(id)?.account : itemOf(index, id)?.account
    return account !== undefined && accounts.has(account)
  }

  /** A user as named in a visible account, the current one first. */
  function personOf(id: string) {
    const held = membershipsOf(index, id).filter((membership) => accounts.has(membership.account))
    const membership = held.find((each) => each.account === account._id) ?? held[0]
    return membership && { _id: id, name: membership.name, account: membership.account }
  }

  /** The item with its name; both are null if the user cannot see it. */
  function named(kind: Kind, id: string): Named {
    if (!sees(kind, id)) return unseen
    if (kind === 'credential') return { _id: id, name: numberOf(index.credentials.get(id)) }
    return { _id: id, name: (kind === 'user' ? membershipsOf(index, id)[0] : itemOf(index, id))?.name ?? null }
  }

  /** Numbers of iButtons need a permission of their own. */
  function numberOf(credential: Credential | undefined) {
    if (credential === undefined || !sees('credential', credential._id)) return null
    const isOpen = credential.kind !== 'iButton' || isAllowed(rules, { action: 'view', subject: 'iButton' })
    if (!isOpen) return null
    return isSealedKind(credential.kind) ? maskOf(credential.number, credential.kind) : credential.number
  }

  /** A number of a question as the answer repeats it. */
  function presented(number: string) {
    const kinds = (index.credentialsByNumber.get(number) ?? []).map(({ kind }) => kind)
    if (kinds.some(isSealedKind)) return maskOf(number)
    return kinds.includes('iButton') && !isAllowed(rules, { action: 'view', subject: 'iButton' }) ? null : number
  }
}

type PastAndPresent = { past: PolicyIndex; present: PolicyIndex; access: Access }

/** The items that are in scope and were so at an earlier time, with their names at that time; deleted ones, too. */
export function pastScope({ past, present, access }: PastAndPresent): Scope {
  // The accounts below that of the user are those of today.
  const earlier = { index: past, ...scopeOf({ ...past, accounts: present.accounts }, access) }
  const current = { index: present, ...scopeOf(present, access) }
  return { ...current, sees, named }

  function sees(kind: Kind, id: string) {
    const holding = [earlier, current].filter(({ index }) => isIn(index, kind, id))
    return holding.length > 0 && holding.every((scope) => scope.sees(kind, id))
  }

  function named(kind: Kind, id: string): Named {
    if (!sees(kind, id)) return unseen
    // Numbers are not read as they were.
    const scope = kind !== 'credential' && isIn(past, kind, id) ? earlier : current
    return { _id: id, name: scope.named(kind, id).name }
  }
}

function isIn(index: PolicyIndex, kind: Kind, id: string) {
  if (kind === 'user') return index.membershipsOfUser.has(id)
  return kind === 'credential' ? index.credentials.has(id) : itemOf(index, id) !== undefined
}

const unseen: Named = { _id: null, name: null }

const subjectOf = {
  door: 'Sites',
  site: 'Sites',
  doorGroup: 'Sites',
  siteGroup: 'Sites',
  unit: 'Controllers',
  user: 'Users',
  userGroup: 'Users',
  credential: 'Users',
  rule: 'Access Control',
  schedule: 'Schedules',
  holiday: 'Schedules',
} as const satisfies Record<string, Subject>

function membershipsOf({ membershipsOfUser }: PolicyIndex, id: string) {
  return membershipsOfUser.get(id) ?? []
}
