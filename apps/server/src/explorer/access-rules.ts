import type { AccessRule } from '@portcullis/contract/calls/explorer'
import { type ApplyingRule, rulesNaming } from '@portcullis/domain/decision/applying-rules'
import type { PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import { holdsAtReader } from '@portcullis/domain/explore/openings'
import { type Door, ruleDirections, type Schedule } from '@portcullis/domain/policy'
import type { Kind, Sight } from './sight.ts'

type Asked = { user: string; door: Door; sight: Sight }

/** The rules that name a person and a door at one of its readers, those that allow first. */
export function accessRules(index: PolicyIndex, { user, door, sight }: Asked): AccessRule[] {
  const rules = rulesNaming(index, { user, door })
    .filter(({ rule }) => holdsAtReader(rule, door))
    .map((applying) => accessRule(index, { ...applying, sight }))
  const places = (rule: AccessRule) => `${rule.effect} ${ruleDirections.indexOf(rule.direction)} ${rule.name ?? ''}`
  return rules.toSorted((a, b) => (places(a) < places(b) ? -1 : 1))
}

function accessRule(index: PolicyIndex, { rule, via, sight }: ApplyingRule & { sight: Sight }): AccessRule {
  const { effect, direction, adhoc, schedule } = rule
  return {
    ...sight.named('rule', rule._id),
    effect,
    direction,
    adhoc,
    schedule: schedule === null ? null : { ...sight.named('schedule', schedule), windows: windowsOf(index, schedule) },
    who: { kind: via.who.kind, ...sight.named(kinds[via.who.kind], via.who._id) },
    where: { kind: via.where.kind, ...sight.named(kinds[via.where.kind], via.where._id) },
  }
}

function windowsOf({ policy, schedules }: PolicyIndex, id: string) {
  if (schedules.get(id)?.table == null) return null
  const schedule: Schedule | undefined = policy.schedules.find(({ _id }) => _id === id)
  return schedule?.windows.map(({ days, start, end }) => ({ days: [...days], start, end })) ?? null
}

const kinds = {
  User: 'user',
  'User Group': 'userGroup',
  Door: 'door',
  Site: 'site',
  'Door Group': 'doorGroup',
  'Site Group': 'siteGroup',
} as const satisfies Record<string, Kind>
