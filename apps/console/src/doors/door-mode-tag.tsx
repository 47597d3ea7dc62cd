import { modeAt } from '@portcullis/domain/decision/door-mode'
import { StateTag } from '../ui/state-tag.tsx'
import { Time } from '../time/time.tsx'
import { useMinute } from '../time/use-minute.ts'
import { text } from '../text/text.ts'
import type { Door } from './door-columns.tsx'
import styles from './door-mode-tag.module.css'
import { modeSteps } from './mode-steps.ts'

/** What is wanted of a door besides its schedule, until when, and how far that has come; nothing where nothing is. */
export function DoorModeTag({ door, zone }: { door: Door; zone: string }) {
  const mode = modeAt(door, useMinute().getTime())
  const step = modeSteps(door)
  if (mode === 'normal' && step.isConfirmed) return null
  return (
    <span className={styles.mode}>
      {mode === 'normal' ? <StateTag state="waiting">{text('doorModes.restore')}</StateTag> : <StateTag state={mode} />}
      <span className="second">
        {mode !== 'normal' && door.modeUntil && (
          <>
            {text('doorModes.untilTime', { time: '' })}
            <Time at={door.modeUntil} zone={zone} as="time" />
            {' · '}
          </>
        )}
        {text(`doorModes.${step.is}At`, { time: '' })}
        <Time at={step.at} zone={zone} as="time" />
        {!step.isConfirmed && ` · ${text('doorModes.noAnswer')}`}
      </span>
    </span>
  )
}
