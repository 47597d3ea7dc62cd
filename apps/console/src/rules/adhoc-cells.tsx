import { doorGroups } from '@portcullis/contract/collections/door-groups'
import { doors } from '@portcullis/contract/collections/doors'
import { siteGroups } from '@portcullis/contract/collections/site-groups'
import { sites } from '@portcullis/contract/collections/sites'
import { StateTag } from '../ui/state-tag.tsx'
import { Time } from '../time/time.tsx'
import { relative, viewerZone } from '../time/time-text.ts'
import { duration, near } from '../time/site-time.ts'
import { useMinute } from '../time/use-minute.ts'
import { text } from '../text/text.ts'
import styles from './adhoc-cells.module.css'
import { adhocStateOf, type TimeBox } from './adhoc-state.ts'
import { type Rule, useNoEffect } from './rule-cells.tsx'
import { useWhole } from './use-whole.ts'
import type { Where } from '@portcullis/domain/policy'

/** The state of temporary access; one without effect although its time has come says why. */
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
    </div>
  )
}

/** One end of the time box, with the time at the site of its doors on hover where that is one zone. */
export function BoxTime({ rule, at }: { rule: Rule; at: string }) {
  const allDoors = useWhole(doors)
  const allSites = useWhole(sites)
  const groups = [useWhole(doorGroups).byId, useWhole(siteGroups).byId]
  const zone = zoneOfRule(rule.where, {
    doors: allDoors.byId.values(),
    sites: allSites.byId.values(),
    membersOf: ({ id }) => groups.map((byId) => byId.get(id)?.members).find((members) => members !== undefined),
  })
  return <Time at={at} zone={allDoors.isWhole && allSites.isWhole ? zone : undefined} />
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

type ZoneOfRuleInput = {
  doors: Iterable<{ _id: string; site: string }>
  sites: Iterable<{ _id: string; timeZone: string }>
  /** Members of door groups and site groups; undefined for an unknown group. */
  membersOf: (where: Where) => readonly string[] | undefined
}

/** The time zone of the sites that a rule names; undefined if they have several, or it is unknown. */
function zoneOfRule(where: readonly Where[], { doors, sites, membersOf }: ZoneOfRuleInput): string | undefined {
  const ids = new Set(where.flatMap((each) => [each.id, ...(membersOf(each) ?? [])]))
  const siteIds = new Set(ids)
  for (const { _id, site } of doors) if (ids.has(_id)) siteIds.add(site)
  const zones = new Set<string>()
  for (const { _id, timeZone } of sites) if (siteIds.has(_id)) zones.add(timeZone)
  const [zone, ...others] = zones
  return others.length === 0 ? zone : undefined
}
