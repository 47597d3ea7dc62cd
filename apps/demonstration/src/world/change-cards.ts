import { credentials } from '@portcullis/contract/collections/credentials'
import { users } from '@portcullis/contract/collections/users'
import type { CredentialStatus } from '@portcullis/domain/policy'
import type { Random } from '../random.ts'
import { type Card, makeNumbering } from './cards.ts'
import type { Chronicle } from './chronicle.ts'
import { hands } from './hands.ts'
import { workingMoment } from './office-clock.ts'

export type CardChange = {
  holder: string
  status: CredentialStatus
  daysAgo: number
  at: string
  isReplaced: boolean
}

/** The card that each person was given in the beginning. */
export type FirstCards = ReadonlyMap<string, Card>

/** Takes people's first cards out of use, and gives them another a few minutes later. */
export function changeCards({ chronicle, now, random, firstCards }: Part, changes: readonly CardChange[]) {
  const number = makeNumbering(random)
  for (const { holder, status, isReplaced, ...moment } of changes) {
    const at = workingMoment(now, moment)
    const card = firstCards.get(holder)
    if (!card) throw new Error(`${holder} has no card`)
    const { account } = card
    const by = hands.ofPeople(account)
    chronicle.change(credentials, card.number, { by, at, changes: { status } })
    if (!isReplaced) continue
    const fresh = unused(chronicle, () => number.card(account))
    chronicle.create(credentials, {
      in: account,
      by,
      at: at + 150_000 + random.between(0, 240_000),
      name: fresh,
      item: { kind: 'card', number: fresh, user: chronicle.idOf(users, holder) },
    })
  }
}

type Part = { chronicle: Chronicle; now: Date; random: Random; firstCards: FirstCards }

function unused(chronicle: Chronicle, make: () => string): string {
  const number = make()
  return chronicle.knows(credentials, number) ? unused(chronicle, make) : number
}
