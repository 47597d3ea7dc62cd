import { type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react'
import { dayName, windowsInWords } from '../time/hours-in-words.ts'
import { minutesADay, type Stretch, weekLanes } from '../time/week-lanes.ts'
import { direction } from '../text/language.ts'
import { text } from '../text/text.ts'
import { drawWeek, type Drawn, type WritableWindow } from './draw-week.ts'
import { type Point, pointAfter, stepMinutes, within } from './week-cursor.ts'
import styles from './week-drawing.module.css'
import { timeAt } from '../time/clock-of.ts'

type Props = { windows: readonly WritableWindow[]; canEdit: boolean; onChange: (windows: WritableWindow[]) => void }
type Drawing = { from: Point; to: Point; how: 'add' | 'wipe' }

const marks = [0, 6, 12, 18, 24] as const
const firstCursor: Point = { day: 1, minute: 8 * 60 }

/**
 * The week for drawing: a stroke over closed hours opens them, on every day that it crosses; one that begins in open hours
 * closes them. A stroke is made with a pointer, or with the arrow keys between two presses of Space.
 */
export function WeekDrawing({ windows, canEdit, onChange }: Props) {
  const lanes = useRef<HTMLDivElement>(null)
  const hint = useId()
  const [drawing, setDrawing] = useState<Drawing>()
  const [cursor, setCursor] = useState<Point>()
  const open = weekLanes(windows)
  const drawn = drawing && rectangleOf(drawing)

  function begin(from: Point) {
    setDrawing({ from, to: from, how: isOpenAt(open, from) ? 'wipe' : 'add' })
  }

  function press(event: PointerEvent<HTMLDivElement>) {
    const from = canEdit && event.button === 0 ? pointAt(lanes.current, event) : undefined
    if (!from) return
    event.currentTarget.setPointerCapture(event.pointerId)
    setCursor(undefined)
    begin(from)
  }

  function go(to: Point | undefined) {
    if (drawing && to) setDrawing({ ...drawing, to })
  }

  function end() {
    setDrawing(undefined)
    if (drawing && drawn) onChange(drawWeek(windows, drawn, drawing.how))
  }

  function onKey(event: KeyboardEvent) {
    if (event.key === 'Escape') return setDrawing(undefined)
    const to = pointAfter(event.key, { from: cursor ?? firstCursor, shift: event.shiftKey })
    if (to === undefined && event.key !== ' ') return
    event.preventDefault()
    if (!cursor) return setCursor(firstCursor)
    if (to) {
      setCursor(to)
      return go(to)
    }
    if (drawing) end()
    else begin(cursor)
  }

  function stop() {
    setDrawing(undefined)
    setCursor(undefined)
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
        aria-label={text('schedules.drawing')}
        {...(canEdit ? { role: 'application', tabIndex: 0, 'aria-describedby': hint } : { role: 'img' })}
        // Escape ends a stroke before it closes the drawer.
        data-mantine-stop-propagation={drawing ? 'true' : undefined}
        onKeyDown={canEdit ? onKey : undefined}
        onBlur={stop}
        onPointerDown={press}
        onPointerMove={(event) => go(drawing && pointAt(lanes.current, event))}
        onPointerUp={end}
        onPointerCancel={stop}
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
              {cursor?.day === index + 1 && <em style={placeOf(cursor.minute, cursor.minute + stepMinutes)} />}
            </span>
          </div>
        ))}
      </div>
      {canEdit && (
        <>
          <p className={styles.now} role="status">
            {drawing && drawn && text(`schedules.stroke.${drawing.how}`, { hours: hoursOf(drawn) })}
            {!drawn && cursor && placeInWords(open, cursor)}
          </p>
          <p id={hint} className={styles.hint}>
            {text('schedules.drawHint')}
          </p>
        </>
      )}
    </div>
  )
}

function isOpenAt(open: readonly Stretch[][], { day, minute }: Point) {
  return open[day - 1]?.some(({ from, until }) => from <= minute && minute < until) === true
}

function placeInWords(open: readonly Stretch[][], point: Point) {
  const hours = hoursOf(rectangleOf({ from: point, to: point }))
  return text(isOpenAt(open, point) ? 'schedules.openAt' : 'schedules.closedAt', { hours })
}

function rectangleOf({ from, to }: Pick<Drawing, 'from' | 'to'>): Drawn {
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

function placeOf(from: number, until: number) {
  return { insetInlineStart: `${(from / minutesADay) * 100}%`, width: `${((until - from) / minutesADay) * 100}%` }
}

function hoursOf({ days, from, until }: Drawn) {
  return windowsInWords([{ days, start: timeAt(from), end: timeAt(until) }])
}
