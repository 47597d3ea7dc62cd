import type { AccountRef } from './accounts.ts'

/** The author of each kind of change; the role of each author permits it. */
export const hands = {
  founder: 'Administrator',
  installer: 'Ebrahim Salie',
  operations: 'Lerato Khumalo',
  ofPeople: (account: AccountRef) => peopleHands[account],
  ofRules: (account: AccountRef) => ruleHands[account],
} as const

const peopleHands = {
  'harbour-group': 'Thandeka Mthembu',
  'harbour-logistics': 'Neville Chetty',
  'harbour-couriers': 'Neville Chetty',
  'quayside-labs': 'Eleanor Ashworth',
} as const satisfies Record<AccountRef, string>

const ruleHands = { ...peopleHands, 'harbour-group': 'Lerato Khumalo' } as const
