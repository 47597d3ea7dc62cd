import type { CredentialStatus } from '@portcullis/domain/policy'
import type { Random } from '../random.ts'
import type { AccountRef } from './accounts.ts'
import { crews } from './crews.ts'

export type Card = {
  account: AccountRef
  holder: string | null
  kind: 'card' | 'mobile'
  number: string
  status: CredentialStatus
  /** Days from the start of the demonstration. */
  validFromDays: number | null
  validUntilDays: number | null
}

type Problem = Partial<Pick<Card, 'status' | 'validFromDays' | 'validUntilDays'>>

/** Cards of people who hold another that works, and instead of the one that everybody has. */
const moreCards: readonly { holder: string | null; problem: Problem }[] = [
  { holder: 'Nomsa Dlamini', problem: { status: 'lost' } },
  { holder: 'Amahle Zulu', problem: { status: 'lost' } },
  { holder: 'Musa Ngcobo', problem: { status: 'lost' } },
  { holder: 'Fatima Jassiem', problem: { status: 'stolen' } },
  { holder: 'Lerato Khumalo', problem: { status: 'revoked' } },
  { holder: 'Tom Ellery', problem: { status: 'revoked' } },
  { holder: 'Hannah Abrahams', problem: { validFromDays: 60 } },
  { holder: 'Devan Pillay', problem: { status: 'suspended' } },
  { holder: null, problem: {} },
  { holder: null, problem: {} },
]
const onlyCard: Record<string, Problem> = {
  'Kagiso Molefe': { status: 'suspended' },
  'Willem Steyn': { validUntilDays: -12 },
  'Jabu Hlongwane': { validUntilDays: 75 },
  'Wayne September': { validUntilDays: 40 },
}

const withTelephone = ['Lerato Khumalo', 'Francois Marais', 'Imraan Cassiem', 'Oluwaseun Adeyemi', 'Maren Halvorsen']

/** Everybody's cards, numbered as printed: the facility, then the card. */
export function issueCards(random: Random): Card[] {
  const number = numbering(random)
  const cards: Card[] = []
  const issue = (account: AccountRef, holder: string | null, more: Problem & { kind?: 'mobile' }) => {
    const usual = { kind: 'card', status: 'active', validFromDays: null, validUntilDays: null } as const
    cards.push({ account, holder, number: number(account), ...usual, ...more })
  }
  for (const { account, names } of crews) {
    for (const name of names) {
      issue(account, name, onlyCard[name] ?? {})
      for (const { holder, problem } of moreCards) if (holder === name) issue(account, name, problem)
      if (withTelephone.includes(name)) issue(account, name, { kind: 'mobile' })
    }
  }
  for (const { holder, problem } of moreCards) if (holder === null) issue('harbour-group', null, problem)
  return cards
}

const facilities: Record<AccountRef, string> = {
  'harbour-group': '0412',
  'harbour-logistics': '0418',
  'harbour-couriers': '0427',
  'quayside-labs': '0431',
}

function numbering(random: Random) {
  const taken = new Set<string>()
  return (account: AccountRef): string => {
    for (;;) {
      const number = `${facilities[account]}-${random.between(20_000, 98_999)}`
      if (taken.has(number)) continue
      taken.add(number)
      return number
    }
  }
}
