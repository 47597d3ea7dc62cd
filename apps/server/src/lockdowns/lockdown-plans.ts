import type { CollectionHooks, Writing } from '../collections/collection-hooks.ts'
import { demandAllDoors } from './doors-of-plan.ts'

/**
 * Cards start a plan with the rights of those who let them: a nearer role that allows less in any account below refuses, as it
 * would refuse the start.
 */
export const lockdownPlanHooks: CollectionHooks = {
  async beforeCreate({ access }, { cardGroups }) {
    if (!isEmpty(cardGroups)) demandAllAccounts(access)
    return {}
  },
  async beforePatch({ access }, { before, changes }) {
    const { cardGroups } = { ...before, ...changes }
    const concernsCards = ['places', 'cardGroups', 'cardDoors'].some((field) => field in changes)
    if (concernsCards && !isEmpty(cardGroups)) demandAllAccounts(access)
    return {}
  },
}

function isEmpty(list: unknown) {
  return !Array.isArray(list) || list.length === 0
}

function demandAllAccounts(access: Writing['access']) {
  demandAllDoors(access, { doors: access.subtree.map((account) => ({ account })) })
}
