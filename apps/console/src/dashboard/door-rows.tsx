import { sites } from '@portcullis/contract/collections/sites'
import { useState } from 'react'
import { ScheduleTag } from '../commands/schedule-tag.tsx'
import { useHoldOf } from '../commands/use-hold-of.ts'
import { NameOf } from '../item/name-of.tsx'
import { StateTag } from '../ui/state-tag.tsx'
import { useSiteZone } from '../item/use-site-zone.ts'
import { TextWith } from '../ui/text-with.tsx'
import { Time } from '../time/time.tsx'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { type Door, type DoorFigure, doorSince } from './door-figures.ts'
import { MoreRows, Row, Rows } from './rows.tsx'

const first = 5

type Props = {
  label: string
  rows: readonly { door: Door; figure: DoorFigure }[]
  /** How many were not loaded. */
  unread: number
}

/** Doors by name with the time since which they have their state; each links to its place on its site. */
export function DoorRows({ label, rows, unread }: Props) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? rows : rows.slice(0, first)
  const hidden = rows.length - shown.length
  return (
    <>
      <Rows label={label}>
        {shown.map(({ door, figure }) => (
          <DoorRow key={door._id} door={door} figure={figure} />
        ))}
      </Rows>
      {(hidden > 0 || unread > 0) && (
        <MoreRows>
          {hidden > 0 ? (
            <button type="button" onClick={() => setWhole(true)}>
              {text('dashboard.showMore', { count: hidden })}
            </button>
          ) : (
            text('dashboard.unread', { count: unread })
          )}
        </MoreRows>
      )}
    </>
  )
}

function DoorRow({ door, figure }: Props['rows'][number]) {
  const { ref } = useAccount()
  const isConfirmed = door.modeVersion === door.appliedModeVersion
  const isScheduled = figure === 'unlocked' && door.mode !== 'unlocked'
  const hold = useHoldOf(figure === 'unlocked' && !isScheduled && isConfirmed ? door._id : null)
  return (
    <Row
      to={`/${ref}/sites/${door.site}`}
      search={{ open: door._id }}
      tag={isScheduled ? <ScheduleTag door={door} /> : <StateTag state={hold?.state ?? figure} />}
      name={door.name}
      second={<Where door={door} note={hold?.note} />}
      when={<Since at={isScheduled ? null : doorSince(door, figure)} site={door.site} />}
    />
  )
}

function Where({ door, note }: { door: Door; note: string | undefined }) {
  const isUnconfirmed = door.modeVersion !== door.appliedModeVersion
  return (
    <>
      <NameOf of={sites} id={door.site} />
      {isUnconfirmed && ` · ${text('doorModes.noAnswer')}`}
      {note && ` · ${note}`}
    </>
  )
}

function Since({ at, site }: { at: string | null; site: string }) {
  const zone = useSiteZone(site)
  if (at === null) return null
  return (
    <>
      <TextWith of="dashboard.since" values={{ time: <Time at={at} zone={zone} siteTime="onHover" as="time" /> }} />
      {' · '}
      <Time at={at} zone={zone} siteTime="below" as="relative" />
    </>
  )
}
