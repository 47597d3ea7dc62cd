import { timeZone } from './day-scenes.ts'

type Validity = { status: 'active' | 'suspended'; validUntil: number | null }
type Hours = { start: string; end: string }

/**
 * Who may open which doors, by index, as an administrator has set it: a second, slow implementation, without the product's code.
 * A user has one card. Staff enter through the groups of users, and visitors through a rule of their own at the first site.
 */
export type Rights = {
  users: readonly Validity[]
  cards: readonly (Validity & { isRemoved: boolean })[]
  /** The users of each group; a group has the rule of the same index. */
  groups: readonly (readonly number[])[]
  rules: readonly ('enabled' | 'disabled' | 'removed')[]
  /** When the rule of the first group applies, on every day that is not a holiday. The other rules apply at all times. */
  hours: readonly Hours[]
  isHoliday: boolean
}

export type Mode = { mode: 'normal' | 'unlocked' | 'blocked' | 'lockdown'; until: number | null }

type Attempt = { card: number; unit: number; at: number; staff: number }

export const siteCount = 2
export const siteOf = (unit: number) => unit % siteCount
/** Rules: of the first group with hours, of the second group, and of visitors at the first site. */
export const [officeRule, guardRule, visitorRule] = [0, 1, 2] as const

export function isOpenTo(rights: Rights, { card: index, unit, at, staff }: Attempt) {
  const [user, card] = [rights.users[index], rights.cards[index]]
  if (!user || !card || card.isRemoved || !isValid(user, at) || !isValid(card, at)) return false
  const isIn = (group: number) => rights.groups[group]?.includes(index) === true
  const ways = new Map<number, boolean>([
    [officeRule, isIn(officeRule) && isWithinHours(rights, at)],
    [guardRule, isIn(guardRule)],
    [visitorRule, index >= staff && siteOf(unit) === 0],
  ])
  return [...ways].some(([rule, isWay]) => isWay && rights.rules[rule] === 'enabled')
}

/** A door that is blocked or locked down opens to no card. */
export function isUsable({ mode, until }: Mode, at: number) {
  return mode === 'normal' || mode === 'unlocked' || (until !== null && at >= until)
}

function isValid({ status, validUntil }: Validity, at: number) {
  return status === 'active' && (validUntil === null || at < validUntil)
}

const localTime = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })

/** All scenes are on one day, and all hours within it. */
function isWithinHours({ hours, isHoliday }: Rights, at: number) {
  const time = localTime.format(at)
  return !isHoliday && hours.some(({ start, end }) => start <= time && time < end)
}
