import { Skeleton, Tooltip, VisuallyHidden } from '@mantine/core'
import type { EntityOf } from '@portcullis/contract/collection'
import { doorGroups } from '@portcullis/contract/collections/door-groups'
import { doors } from '@portcullis/contract/collections/doors'
import type { rules } from '@portcullis/contract/collections/rules'
import { schedules } from '@portcullis/contract/collections/schedules'
import { siteGroups } from '@portcullis/contract/collections/site-groups'
import { units } from '@portcullis/contract/collections/units'
import { StateTag } from '../ui/state-tag.tsx'
import { momentText } from '../time/time-text.ts'
import { windowsInWords } from '../time/hours-in-words.ts'
import { useMinute } from '../time/use-minute.ts'
import { text } from '../text/text.ts'
import { noEffectOf } from './no-effect.ts'
import { kindInWords, type Subject } from '../subjects/rule-subjects.ts'
import { unitsOfRule } from './units-of-rule.ts'
import { useSubjects } from '../subjects/use-subjects.ts'
import { useWhole } from '../subjects/use-whole.ts'
import { conjunction, listOf } from '../text/catalogue.ts'

export type Rule = EntityOf<typeof rules>

/** The users or the doors of a rule: names, and below them their kind and number. */
export function SubjectsCell({ subjects, none }: { subjects: readonly Subject[]; none: string }) {
  const { nameOf, sizeOf } = useSubjects(subjects)
  const [first, second] = subjects
  if (first === undefined) return <span className="soft">{none}</span>
  const name = nameOf(first)
  if (name === undefined) return <NamePlaceholder />
  if (second === undefined) return <Two line={name} second={kindInWords(first.kind, sizeOf(first))} />
  const line =
    subjects.length === 2
      ? conjunction.format([name, nameOf(second) ?? '…'])
      : text('rules.more', { name, count: subjects.length - 1 })
  const kinds = listOf([...new Set(subjects.map(({ kind }) => kindInWords(kind, undefined)))])
  return <Two line={line} second={kinds} />
}

/** The name may be the only content of a button. */
function NamePlaceholder() {
  return (
    <>
      <VisuallyHidden>{text('loading')}</VisuallyHidden>
      <Skeleton height={12} width="60%" />
    </>
  )
}

/** When a rule applies: its schedule in words, its time box. */
export function WhenCell({ rule }: { rule: Rule }) {
  const { byId, isLoading } = useWhole(schedules)
  const schedule = rule.schedule === null ? undefined : byId.get(rule.schedule)
  const box = rule.adhoc && adhocInWords(rule.adhoc)
  if (rule.schedule === null) return box ? <Two line={box} second="" /> : text('week.always')
  if (isLoading) return <NamePlaceholder />
  if (!schedule) return <span className="soft">{text('rules.hidden')}</span>
  const hours = schedule.windows.length > 0 ? windowsInWords(schedule.windows) : text('rules.noHours')
  return <Two line={schedule.name} second={box ? `${hours} · ${box}` : hours} />
}

/** Allow or deny; a rule without effect says why. */
export function EffectCell({ rule }: { rule: Rule }) {
  const reason = useNoEffect(rule)
  if (!rule.enabled) return <StateTag state="disabled" />
  if (reason === undefined) return <StateTag state={rule.effect} />
  return (
    <Tooltip label={text(`rules.noEffect.${reason}`)}>
      <span>
        <StateTag state="no_effect" />
        <span className="second">{text(`rules.noEffect.${reason}`)}</span>
      </span>
    </Tooltip>
  )
}

/** How many of the controllers of its doors have applied the newest configuration; empty if that is unknown. */
export function UnitsCell({ rule }: { rule: Rule }) {
  const allDoors = useWhole(doors)
  const allUnits = useWhole(units)
  const groups = [useWhole(doorGroups).byId, useWhole(siteGroups).byId]
  if (!rule.enabled || !allDoors.isWhole || !allUnits.isWhole) return <span className="soft">–</span>
  const affected = unitsOfRule(rule.where, {
    doors: allDoors.byId.values(),
    membersOf: ({ id }) => groups.map((byId) => byId.get(id)?.members).find((members) => members !== undefined),
  })
  const ruleUnits = [...(affected ?? [])].flatMap((id) => allUnits.byId.get(id) ?? [])
  if (!affected || ruleUnits.length === 0 || ruleUnits.length < affected.size) return <span className="soft">–</span>
  const done = ruleUnits.filter((unit) => unit.desiredVersion !== null && unit.appliedVersion === unit.desiredVersion)
  return (
    <Tooltip label={text('rules.unitsHint')} multiline w={240}>
      <span>{text('rules.unitsOf', { done: done.length, count: ruleUnits.length })}</span>
    </Tooltip>
  )
}

export function useNoEffect(rule: Pick<Rule, 'effect' | 'who' | 'where' | 'adhoc' | 'schedule'>) {
  const { byId } = useWhole(schedules)
  const { isEmpty } = useSubjects([...rule.who, ...rule.where])
  const schedule = rule.schedule === null ? undefined : byId.get(rule.schedule)
  return noEffectOf({ rule, schedule, isEmpty, now: useMinute() })
}

function adhocInWords({ from, until }: { from: string; until: string }) {
  const now = new Date()
  const short = (iso: string) => momentText(iso, now)
  if (Date.parse(until) <= now.getTime()) return text('rules.adhocEnded', { until: short(until) })
  if (Date.parse(from) > now.getTime()) return text('rules.adhocFrom', { from: short(from) })
  return text('rules.adhocUntil', { until: short(until) })
}

function Two({ line, second }: { line: string; second: string }) {
  return (
    <>
      <bdi>{line}</bdi>
      {second && <bdi className="second">{second}</bdi>}
    </>
  )
}
