import { type PointerEvent, useRef, useState } from 'react'
import { dayName } from '../time/hours-in-words.ts'
import { minutesADay, weekLanes } from '../time/week-lanes.ts'
import { direction } from '../text/language.ts'
import { text } from '../text/text.ts'
import { drawWeek, type Drawn, type WritableWindow } from './draw-week.ts'
import styles from './week-drawing.module.css'
import { timeAt } from '../time/clock-of.ts'

type Props = { windows: readonly WritableWindow[]; canEdit: boolean; onChange: (windows: WritableWindow[]) => void }
type Point = { day: number; minute: number }
type Drawing = { from: Point; to: Point; how: 'add' | 'wipe' }

const stepMinutes = 15
const marks = [0, 6, 12, 18, 24] as const

/**
 * The week for drawing: a stroke over closed hours opens them, on every day that it crosses; one that begins in open hours
 * closes them. The fields above take the same hours by keyboard.
 */
export function WeekDrawing({ windows, canEdit, onChange }: Props) {
  const lanes = useRef<HTMLDivElement>(null)
  const [drawing, setDrawing] = useState<Drawing>()
  const open = weekLanes(windows)
  const drawn = drawing && rectangleOf(drawing)

  function begin(event: PointerEvent<HTMLDivElement>) {
    const from = canEdit && event.button === 0 ? pointAt(lanes.current, event) : undefined
    if (!from) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const isOpen = open[from.day - 1]?.some((stretch) => stretch.from <= from.minute && from.minute < stretch.until)
    setDrawing({ from, to: from, how: isOpen ? 'wipe' : 'add' })
  }

  function go(event: PointerEvent<HTMLDivElement>) {
    const to = drawing && pointAt(lanes.current, event)
    if (to) setDrawing({ ...drawing, to })
  }

  function end() {
    setDrawing(undefined)
    if (drawing && drawn) onChange(drawWeek(windows, drawn, drawing.how))
  }

  return (
    <div className={styles.drawing} data-editable={canEdit ? '' : undefined}>
      <div className={styles.marks} aria-hidden="true">
        {marks.map((hour) => (
          <span key={hour} style={{ insetInlineStart: `${(hour / 24) * 100}%` }}>
            {String(hour).padStart(2, '0')}
          </span>
        ))}
      </div>
      <div
        ref={lanes}
        className={styles.lanes}
        role="img"
        aria-label={text('schedules.drawing')}
        onPointerDown={begin}
        onPointerMove={go}
        onPointerUp={end}
        onPointerCancel={() => setDrawing(undefined)}
      >
        {open.map((stretches, index) => (
          <div key={dayName(index + 1)} className={styles.lane}>
            <span>{dayName(index + 1)}</span>
            <span className={styles.hours}>
              {stretches.map(({ from, until }) => (
                <i key={`${from} ${until}`} style={placeOf(from, until)} />
              ))}
              {drawn?.days.includes(index + 1) && (
                <b data-how={drawing?.how} style={placeOf(drawn.from, drawn.until)} />
              )}
            </span>
          </div>
        ))}
      </div>
      {canEdit && <p className={styles.hint}>{drawn ? hoursOf(drawn) : text('schedules.drawHint')}</p>}
    </div>
  )
}

function rectangleOf({ from, to }: Drawing): Drawn {
  const [first, last] = [Math.min(from.day, to.day), Math.max(from.day, to.day)]
  const [start, end] = [Math.min(from.minute, to.minute), Math.max(from.minute, to.minute)]
  return {
    days: Array.from({ length: last - first + 1 }, (_, index) => first + index),
    from: start,
    until: end + stepMinutes,
  }
}

/** The day and the quarter of an hour under a pointer; beyond an edge, the last one. */
function pointAt(
  lanes: HTMLElement | null,
  { clientX, clientY }: { clientX: number; clientY: number },
): Point | undefined {
  const first = lanes?.querySelector(`.${styles.hours}`)?.getBoundingClientRect()
  const box = lanes?.getBoundingClientRect()
  if (!first || !box || first.width === 0) return undefined
  const share = within((direction === 'rtl' ? first.right - clientX : clientX - first.left) / first.width, 0, 0.9999)
  const day = within(Math.floor(((clientY - box.top) / box.height) * 7) + 1, 1, 7)
  return { day, minute: Math.floor((share * minutesADay) / stepMinutes) * stepMinutes }
}

function within(value: number, least: number, most: number) {
  return Math.min(most, Math.max(least, value))
}

function placeOf(from: number, until: number) {
  return { insetInlineStart: `${(from / minutesADay) * 100}%`, width: `${((until - from) / minutesADay) * 100}%` }
}

function hoursOf({ from, until }: Drawn) {
  return text('week.hours', { start: timeAt(from), end: timeAt(until) })
}
