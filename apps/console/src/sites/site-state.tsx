import { Skeleton } from '@mantine/core'
import type { SiteState } from '@portcullis/contract/calls/sites'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { type State, StateTag } from '../ui/state-tag.tsx'
import styles from './site-state.module.css'
import { useSiteState, useSiteStates } from './use-site-state.ts'

type Figure = { state: State; count: number; word?: string; ids: readonly string[] | undefined }

/** The doors of a site that are not normal, by state. */
export function DoorsNow({ site }: { site: string }) {
  return <Now site={site}>{(state) => <Figures {...doorFigures(state)} to={`/sites/${site}`} filter="door" />}</Now>
}

/** The controllers of a site that need attention. */
export function UnitsNow({ site }: { site: string }) {
  return (
    <Now site={site}>
      {({ units, unitIds }) =>
        units && <Figures {...unitFigures(units, unitIds ?? {})} to="/units/list" filter="unit" />
      }
    </Now>
  )
}

/** The users inside a site, as far as its doors can count them. */
export function InsideNow({ site }: { site: string }) {
  return (
    <Now site={site}>
      {({ inside }) =>
        inside === null ? (
          <span className="soft" title={text('sites.insideHow')}>
            {text('sites.insideUnknown')}
          </span>
        ) : (
          <span title={text('sites.insideHint')}>{text('sites.insideOf', { count: inside })}</span>
        )
      }
    </Now>
  )
}

/** From the worst on, the red ones first; a disabled door is no fault. */
const worstFirst = [
  'forced',
  'lockdown',
  'blocked',
  'tampered',
  'offline',
  'held',
  'out_of_step',
  'unlocked',
  'waiting',
  'unknown',
] as const satisfies readonly State[]

/** The worst state of any door or controller of these sites. */
export function WorstState({ sites }: { sites: readonly string[] }) {
  const { states, isUnknown, isLoading } = useSiteStates(sites)
  if (isLoading) return <Skeleton height={12} width={60} />
  const figures = states.flatMap((site) => [
    ...doorFigures(site).figures,
    ...(site.units ? unitFigures(site.units, site.unitIds ?? {}).figures : []),
  ])
  const counted = figures.filter(({ count }) => count > 0)
  const worst = worstFirst.flatMap((each) => counted.find(({ state }) => state === each) ?? [])[0]
  if (worst) return <StateTag state={worst.state}>{worst.word}</StateTag>
  return isUnknown ? <StateTag state="unknown" /> : <StateTag state="online">{text('siteMap.normal')}</StateTag>
}

type NowProps = { site: string; children: (state: SiteState) => ReactNode }

function Now({ site, children }: NowProps) {
  const { data, isError } = useSiteState(site)
  if (isError || data === null) return <StateTag state="unknown" />
  return data ? children(data) : <Skeleton height={12} width="60%" />
}

type Counted = { figures: readonly Figure[]; total: string; none: string | false; normal: string }
/** `to`: the list of these items; `filter`: its filter for some of them. */
type FiguresProps = Counted & { to: string; filter: string }

/** Each figure by icon, word and colour, as a link to its items; without any, that all is normal. */
function Figures({ figures, total, none, normal, to, filter }: FiguresProps) {
  const { ref } = useAccount()
  const list: string = `/${ref}${to}`
  const shown = figures.filter(({ count }) => count > 0)
  if (none) return <span className="soft">{none}</span>
  return (
    <>
      <span className={styles.tags}>
        {shown.map(({ state, count, ids, word = text(`state.${state}`) }) => {
          const tag = <StateTag state={state}>{text('sites.figure', { word, count })}</StateTag>
          if (ids === undefined) return <span key={state}>{tag}</span>
          return (
            <Link key={state} to={list} search={{ [filter]: ids.join(',') }}>
              {tag}
            </Link>
          )
        })}
        {shown.every(({ state }) => state === 'disabled') && <StateTag state="online">{normal}</StateTag>}
      </span>
      <span className="second">{total}</span>
    </>
  )
}

function doorFigures({ doors, doorIds }: Pick<SiteState, 'doors' | 'doorIds'>): Counted {
  return {
    figures: [
      { state: 'forced', count: doors.forced, ids: doorIds.forced },
      { state: 'held', count: doors.held, ids: doorIds.held },
      { state: 'lockdown', count: doors.lockedDown, ids: doorIds.lockedDown },
      { state: 'blocked', count: doors.blocked, ids: doorIds.blocked },
      { state: 'unlocked', count: doors.unlocked, ids: doorIds.unlocked, word: text('doorModes.unlocked') },
      { state: 'waiting', count: doors.waiting, ids: doorIds.waiting, word: text('sites.modeWaiting') },
      { state: 'unknown', count: doors.unknown, ids: doorIds.unknown },
      { state: 'disabled', count: doors.disabled, ids: doorIds.disabled },
    ],
    total: text('sites.doorCount', { count: doors.total }),
    none: doors.total + doors.disabled === 0 && text('sites.noDoors'),
    normal: text('sites.doorsNormal'),
  }
}

function unitFigures(units: NonNullable<SiteState['units']>, ids: NonNullable<SiteState['unitIds']>): Counted {
  return {
    figures: [
      { state: 'tampered', count: units.tampered, ids: ids.tampered },
      { state: 'offline', count: units.notOnline, ids: ids.notOnline },
      { state: 'out_of_step', count: units.outOfSync, ids: ids.outOfSync },
    ],
    total: text('sites.unitCount', { count: units.total }),
    none: units.total === 0 && text('sites.noUnits'),
    normal: text('sites.unitsOnline'),
  }
}
