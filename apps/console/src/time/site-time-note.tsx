import { VisuallyHidden } from '@mantine/core'
import { text } from '../text/text.ts'
import { siteClock } from './site-clock.ts'
import styles from './site-time-note.module.css'

type Props = {
  at: Date
  zone: string | null | undefined
  relativeTo?: Date | undefined
  /** On a line of its own instead of after the viewer's time. */
  isBelow?: boolean
}

/** The time at the site, beside or below the viewer's; nothing where both are the same. */
export function SiteTimeNote({ at, zone, relativeTo, isBelow = false }: Props) {
  const time = siteClock(at, { zone, relativeTo })
  if (time === undefined) return null
  return (
    <>
      {!isBelow && ' '}
      <span className={isBelow ? 'second' : styles.note}>
        <span aria-hidden="true">
          {!isBelow && '· '}
          {time}
        </span>
        <VisuallyHidden component="span">{text('time.atSite', { time })}</VisuallyHidden>
      </span>
    </>
  )
}
