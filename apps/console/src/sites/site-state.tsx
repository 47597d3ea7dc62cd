import { Skeleton } from '@mantine/core'
import type { SiteState } from '@portcullis/contract/calls/sites'
import type { ReactNode } from 'react'
import { text } from '../text/text.ts'
import { type State, StateTag } from '../ui/state-tag.tsx'
import styles from './site-state.module.css'
import { useSiteState } from './use-site-state.ts'

type Figure = { state: State; count: number; word?: string }

/** The doors of a site that are not normal, by state. */
export function DoorsNow({ site }: { site: string }) {
  return <Now site={site}>{({ doors }) => <Figures {...doorFigures(doors)} />}</Now>
}

/** The controllers of a site that need attention. */
export function UnitsNow({ site }: { site: string }) {
  return <Now site={site}>{({ units }) => units && <Figures {...unitFigures(units)} />}</Now>
}

type NowProps = { site: string; children: (state: SiteState) => ReactNode }

function Now({ site, children }: NowProps) {
  const { data, isError } = useSiteState(site)
  if (isError || data === null) return <StateTag state="unknown" />
  return data ? children(data) : <Skeleton height={12} width="60%" />
}

type FiguresProps = { figures: readonly Figure[]; total: string; none: string | false; normal: string }

/** Each figure by icon, word and colour; without any, that all is normal. */
function Figures({ figures, total, none, normal }: FiguresProps) {
  const shown = figures.filter(({ count }) => count > 0)
  if (none) return <span className="soft">{none}</span>
  return (
    <>
      <span className={styles.tags}>
        {shown.map(({ state, count, word = text(`state.${state}`) }) => (
          <StateTag key={state} state={state}>
            {text('sites.figure', { word, count })}
          </StateTag>
        ))}
        {shown.length === 0 && <StateTag state="online">{normal}</StateTag>}
      </span>
      <span className="second">{total}</span>
    </>
  )
}

function doorFigures(doors: SiteState['doors']): FiguresProps {
  return {
    figures: [
      { state: 'forced', count: doors.forced },
      { state: 'held', count: doors.held },
      { state: 'lockdown', count: doors.lockedDown },
      { state: 'blocked', count: doors.blocked },
      { state: 'unlocked', count: doors.unlocked },
      { state: 'waiting', count: doors.waiting, word: text('sites.modeWaiting') },
      { state: 'unknown', count: doors.unknown },
    ],
    total: text('sites.doorCount', { count: doors.total }),
    none: doors.total === 0 && text('sites.noDoors'),
    normal: text('sites.doorsNormal'),
  }
}

function unitFigures(units: NonNullable<SiteState['units']>): FiguresProps {
  return {
    figures: [
      { state: 'tampered', count: units.tampered },
      { state: 'offline', count: units.notOnline },
      { state: 'out_of_step', count: units.outOfSync },
    ],
    total: text('sites.unitCount', { count: units.total }),
    none: units.total === 0 && text('sites.noUnits'),
    normal: text('sites.unitsOnline'),
  }
}
