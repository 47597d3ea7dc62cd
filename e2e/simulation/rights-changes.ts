import type { Rights } from './rights.ts'

/** What an administrator changes, by the indexes of the estate. */
export type RightsChange =
  | { kind: 'setUser'; user: number; status: 'active' | 'suspended' }
  | { kind: 'setCard'; user: number; status: 'active' | 'suspended' }
  /** `until`: in milliseconds since 1970; null ends the limit. */
  | { kind: 'limitUser'; user: number; until: number | null }
  | { kind: 'removeCard' | 'issueCard'; user: number }
  | { kind: 'joinGroup' | 'leaveGroup'; group: number; user: number }
  | { kind: 'setRule'; rule: number; isEnabled: boolean }
  | { kind: 'removeRule' | 'addRule'; rule: number }
  | { kind: 'setHours'; start: string; end: string }
  | { kind: 'addHoliday' | 'endHoliday' }

/** The rights after a change; undefined if it changes nothing, such as the removal of a removed card. */
export function changed(rights: Rights, change: RightsChange): Rights | undefined {
  const after = apply(rights, change)
  return JSON.stringify(after) === JSON.stringify(rights) ? undefined : after
}

function apply(rights: Rights, change: RightsChange): Rights {
  switch (change.kind) {
    case 'setUser':
      return { ...rights, users: withItem(rights.users, change.user, { status: change.status }) }
    case 'limitUser':
      return { ...rights, users: withItem(rights.users, change.user, { validUntil: change.until }) }
    case 'setCard':
    case 'removeCard':
    case 'issueCard':
      return { ...rights, cards: withCard(rights.cards, change) }
    case 'joinGroup':
    case 'leaveGroup':
      return { ...rights, groups: withMember(rights.groups, change) }
    case 'setRule':
    case 'removeRule':
    case 'addRule':
      return { ...rights, rules: withRule(rights.rules, change) }
    case 'setHours':
      return { ...rights, hours: [{ start: change.start, end: change.end }] }
    default:
      return { ...rights, isHoliday: change.kind === 'addHoliday' }
  }
}

type ChangeOf<Kind> = Extract<RightsChange, { kind: Kind }>
type CardChange = ChangeOf<'setCard'> | ChangeOf<'removeCard' | 'issueCard'>
type RuleChange = ChangeOf<'setRule'> | ChangeOf<'removeRule' | 'addRule'>

/** A card that was issued again is active and has no limit, and one that was removed cannot be changed. */
function withCard(cards: Rights['cards'], change: CardChange) {
  const isRemoved = cards[change.user]?.isRemoved
  if (change.kind === 'removeCard') return withItem(cards, change.user, { isRemoved: true })
  if (change.kind === 'setCard') return isRemoved ? cards : withItem(cards, change.user, { status: change.status })
  return isRemoved ? withItem(cards, change.user, { isRemoved: false, status: 'active', validUntil: null }) : cards
}

function withRule(rules: Rights['rules'], change: RuleChange) {
  const isRemoved = rules[change.rule] === 'removed'
  if (change.kind === 'setRule')
    return isRemoved ? rules : rules.with(change.rule, change.isEnabled ? 'enabled' : 'disabled')
  if (change.kind === 'removeRule') return rules.with(change.rule, 'removed')
  return isRemoved ? rules.with(change.rule, 'enabled') : rules
}

function withMember(groups: Rights['groups'], { kind, group, user }: ChangeOf<'joinGroup' | 'leaveGroup'>) {
  const others = (groups[group] ?? []).filter((member) => member !== user)
  return groups.with(group, kind === 'joinGroup' ? [...others, user].toSorted((a, b) => a - b) : others)
}

function withItem<T extends object>(items: readonly T[], index: number, changes: Partial<T>) {
  return items.map((item, at) => (at === index ? { ...item, ...changes } : item))
}
