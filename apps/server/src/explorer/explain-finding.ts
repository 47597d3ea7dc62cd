import type { ExplainedFinding } from '@portcullis/contract/calls/explorer'
import { changeToOpen } from '@portcullis/domain/explore/changes-to-open'
import type { Finding } from '@portcullis/domain/decision/finding'
import type { Kind, Sight } from './sight.ts'

type Explanation = Pick<ExplainedFinding, 'things' | 'change'>
type Thing = ExplainedFinding['things'][number]

/** The things that a check looked at, and what would have to change for it to pass. */
export function explainFinding(finding: Finding, sight: Sight): Explanation {
  const change = changeToOpen(finding)
  const of = change?.of ? thing(change.of.kind, { id: change.of._id, sight }) : null
  return {
    things: thingsOf(finding, sight),
    change: change && { code: change.code, of },
  }
}

function thingsOf({ step, facts }: Finding, sight: Sight): Thing[] {
  const found: Thing[] = []
  const add = (kind: Thing['kind'], ref: { _id: string } | undefined) => {
    if (ref) found.push(thing(kind, { id: ref._id, sight }))
  }
  add('door', facts.door)
  add('unit', facts.unit)
  add('credential', facts.credential)
  add('user', facts.holder)
  if (step !== 'deny_rule' && step !== 'allow_rule') return found
  add('rule', facts.rule)
  add('schedule', facts.schedule)
  add('holiday', facts.holiday)
  for (const other of facts.otherRules ?? []) add('rule', other.rule)
  return found
}

function thing(kind: Thing['kind'] & Kind, { id, sight }: { id: string; sight: Sight }): Thing {
  return { kind, ...sight.named(kind, id) }
}
