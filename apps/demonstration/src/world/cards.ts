import type { credentialKinds } from '@portcullis/contract/collections/credentials'
import { newcomer } from './past-incidents.ts'
import type { Random } from '../random.ts'
import type { AccountRef } from './accounts.ts'
import { engravedNumber } from '@portcullis/domain/cards/i-button'
import type { Person } from './people.ts'

export type Card = {
  account: AccountRef
  holder: string | null
  kind: (typeof credentialKinds)[number]
  number: string
  /** Days from the start of the demonstration. */
  validFromDays: number | null
  validUntilDays: number | null
}

type Validity = Partial<Pick<Card, 'validFromDays' | 'validUntilDays'>>

/** The validity of these users' cards; all other cards are valid without an end. */
const validities: Record<string, Validity> = {
  'Willem Steyn': { validUntilDays: -12 },
  'Jabu Hlongwane': { validUntilDays: 75 },
  'Wayne September': { validUntilDays: 40 },
  'Devan Pillay': { validUntilDays: 9 },
}

/** Unassigned cards in stock. */
const stock = { 'harbour-group': 8, 'harbour-logistics': 3, 'harbour-couriers': 2, 'quayside-labs': 2 } as const

/** All users' cards and other credentials; a user may have several. The newcomer gets hers later. */
export function issueCards(people: readonly Person[], random: Random): Card[] {
  const number = makeNumbering(random)
  const usual = { validFromDays: null, validUntilDays: null }
  const held = people
    .filter(({ name }) => name !== newcomer.name)
    .flatMap(({ name, crew: { account, group } }): Card[] => {
      const own = { account, holder: name, ...usual }
      const card: Card = { ...own, kind: 'card', number: number.card(account), ...validities[name] }
      if (group === 'Night guards') return [card, { ...own, kind: 'iButton', number: number.iButton() }]
      if (group === 'Contractors' && random.chance(0.3)) {
        return [
          card,
          { ...own, kind: 'qr', number: number.qr(), validFromDays: -31, validUntilDays: random.between(3, 45) },
        ]
      }
      return hasPhone(group, random) ? [card, { ...own, kind: 'mobile', number: number.mobile() }] : [card]
    })
  const spare = refsOf(stock).flatMap((account) =>
    Array.from({ length: stock[account] }, (): Card => {
      return { account, holder: null, ...usual, kind: 'card', number: number.card(account) }
    }),
  )
  return [...held, ...spare]
}

const withTelephones = ['Office', 'London office', 'Operations', 'Scientists', 'Dispatch']

function hasPhone(group: string, random: Random) {
  return withTelephones.includes(group) && random.chance(0.28)
}

/** The numbers printed on the cards of each account begin with its facility. */
const facilities: Record<AccountRef, string> = {
  'harbour-group': '0412',
  'harbour-logistics': '0418',
  'harbour-couriers': '0427',
  'quayside-labs': '0431',
}

export function makeNumbering(random: Random) {
  const taken = new Set<string>()
  const fresh = (make: () => string): string => {
    const number = make()
    if (taken.has(number)) return fresh(make)
    taken.add(number)
    return number
  }
  const letters = (length: number) => Array.from({ length }, () => random.pick(alphabet)).join('')
  return {
    card: (account: AccountRef) => fresh(() => `${facilities[account]}-${random.between(20_000, 98_999)}`),
    iButton: () => fresh(() => engravedNumber(random.between(1, 0xffff_ffff))),
    qr: () => fresh(() => `QR-${letters(16)}`),
    mobile: () => fresh(() => `M-${letters(12)}`),
  }
}

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'.split('')

function refsOf<K extends AccountRef>(counts: Record<K, number>): K[] {
  const refs: K[] = []
  for (const ref in counts) refs.push(ref)
  return refs
}
