import { problem } from '@portcullis/contract/errors/problem'
import type { CollectionHooks, Writing } from '../collections/collection-hooks.ts'
import { AppError } from '../errors/app-error.ts'
import type { Item } from '../history/record-history.ts'
import { demandAllDoors } from './doors-of-plan.ts'

/**
 * Cards start a plan with the rights of those who let them: a nearer role that allows less in any account below refuses, as it
 * would refuse the start.
 */
export const lockdownPlanHooks: CollectionHooks = {
  async beforeCreate({ access }, item) {
    if (!isEmpty(item['cardGroups'])) demandAllAccounts(access)
    demandCardDoors(item)
    return {}
  },
  async beforePatch({ access }, { before, changes }) {
    const after = { ...before, ...changes }
    const concernsCards = ['places', 'cardGroups', 'cardDoors'].some((field) => field in changes)
    if (concernsCards && !isEmpty(after['cardGroups'])) demandAllAccounts(access)
    if ('cardGroups' in changes || 'cardDoors' in changes) demandCardDoors(after)
    return {}
  },
}

/** Cards start a lockdown only at named doors. */
function demandCardDoors({ cardGroups, cardDoors }: Item) {
  if (isEmpty(cardGroups) || !isEmpty(cardDoors)) return
  throw new AppError('bad_request', {}, { fields: { cardDoors: problem('required') } })
}

function isEmpty(list: unknown) {
  return !Array.isArray(list) || list.length === 0
}

function demandAllAccounts(access: Writing['access']) {
  demandAllDoors(access, { doors: access.subtree.map((account) => ({ account })) })
}
