import { StateTag } from '../ui/state-tag.tsx'
import { Time } from '../time/time.tsx'
import { relative, viewerZone } from '../time/time-text.ts'
import { duration, near } from '../time/site-time.ts'
import { useMinute } from '../time/use-minute.ts'
import { text } from '../text/text.ts'
import styles from './adhoc-cells.module.css'
import { adhocStateOf, type TimeBox } from './adhoc-state.ts'
import { type Rule, useNoEffect } from './rule-cells.tsx'
import { useZoneOf } from './use-zone-of.ts'

/** The state of temporary access, with the reason if it has no effect although its time has come. */
export function AdhocTag({ rule }: { rule: Rule & { adhoc: TimeBox } }) {
  const now = useNowOf(rule)
  const reason = useNoEffect(rule)
  const state = adhocStateOf(rule.adhoc, now)
  if (!rule.enabled && state !== 'ended') return <StateTag state="disabled" />
  if (reason !== undefined && reason !== 'ended') {
    return <StateTag state="no_effect">{text(`rules.noEffect.${reason}`)}</StateTag>
  }
  return <StateTag state={state}>{stateInWords(rule.adhoc, now)}</StateTag>
}

/** The same in a list, where nearly all rules allow: deny rules are marked. */
export function AdhocState({ rule }: { rule: Rule & { adhoc: TimeBox } }) {
  return (
    <div className={styles.state}>
      <AdhocTag rule={rule} />
      {rule.effect === 'deny' && <StateTag state="deny" />}
      {rule.guest !== null && <span className="soft">{text('guests.mark')}</span>}
    </div>
  )
}

/** One end of the time box, also at the site of its doors where that is one zone. */
export function BoxTime({ rule, at }: { rule: Rule; at: string }) {
  return <Time at={at} zone={useZoneOf(rule.where)} siteTime="below" />
}

export function isForTime(rule: Rule): rule is Rule & { adhoc: TimeBox } {
  return rule.adhoc !== null
}

/** The current time; the minute may have begun before the rule was changed, which would show a previous state. */
export function useNowOf({ updatedAt }: Rule) {
  return new Date(Math.max(useMinute().getTime(), Date.parse(updatedAt)))
}

function stateInWords(box: TimeBox, now: Date) {
  switch (adhocStateOf(box, now)) {
    case 'to_come':
      return text('adhoc.startsIn', { time: duration(Date.parse(box.from) - now.getTime()) })
    case 'in_force':
      return text('adhoc.inForceUntil', { time: near(box.until, { at: now.toISOString(), timeZone: viewerZone }) })
    case 'ended':
      return text('adhoc.ended', { time: relative(new Date(box.until), now) })
  }
}
