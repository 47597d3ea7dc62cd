import { IconArrowForward, IconBan, IconCheck, IconDots } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { listOf } from '../text/catalogue.ts'
import { text } from '../text/text.ts'
import type { Cell } from './matrix-cells.ts'
import type { Access } from './matrix-edits.ts'
import styles from './matrix.module.css'

export type Named = { _id: string; name: string }
/** `second`: below the name, such as the site of a door. */
type PlaceNamed = Named & { second: string | undefined }
export type Pair = { group: string; place: string }
type Spot = { row: number; column: number }

type Props = {
  label: string
  groups: readonly Named[]
  places: readonly PlaceNamed[]
  cells: (group: string, place: string) => Cell
  scheduleName: (id: string) => string
  onSelect: (pairs: readonly Pair[]) => void
  onChange: (pairs: readonly (Pair & { access: Access })[]) => void
  onUndo: () => void
}

/** Groups by places. A rectangle of cells is selected with the mouse, or with arrow keys and Shift. */
export function MatrixGrid({ label, groups, places, cells, scheduleName, onSelect, onChange, onUndo }: Props) {
  const [anchor, setAnchor] = useState<Spot>()
  const [focus, setFocus] = useState<Spot>({ row: 0, column: 0 })
  const [copied, setCopied] = useState<readonly (readonly Access[])[]>([])
  const body = useRef<HTMLTableSectionElement>(null)
  const hasMoved = useRef(false)

  useEffect(() => {
    if (!hasMoved.current) return
    body.current?.rows[focus.row]?.cells[focus.column + 1]?.focus()
  }, [focus])

  function select(from: Spot, to: Spot) {
    setAnchor(from)
    setFocus(to)
    onSelect(pairsIn(spanOf(from, to)))
  }

  /** A whole row or column, by its head. */
  function selectAll({ row, column }: Partial<Spot>) {
    hasMoved.current = true
    select(
      { row: row ?? 0, column: column ?? 0 },
      { row: row ?? groups.length - 1, column: column ?? places.length - 1 },
    )
  }

  function pairsIn(span: Span): Pair[] {
    return groups
      .slice(span.top, span.bottom + 1)
      .flatMap(({ _id: group }) => places.slice(span.left, span.right + 1).map(({ _id: place }) => ({ group, place })))
  }

  function pressed(event: KeyboardEvent) {
    const act = commandOf(event)
    if (!act || !anchor) return
    event.preventDefault()
    const span = spanOf(anchor, focus)
    switch (act) {
      case 'undo':
        return onUndo()
      case 'all':
        return select({ row: 0, column: 0 }, { row: groups.length - 1, column: places.length - 1 })
      case 'copy':
        return setCopied(accessIn(span))
      case 'paste':
        return paste(span)
      case 'always':
      case 'none':
        return onChange(
          pairsIn(span).map((pair) => ({ ...pair, access: act === 'always' ? { schedule: null } : undefined })),
        )
      default: {
        hasMoved.current = true
        const to = {
          row: within(focus.row + act.rows, groups.length),
          column: within(focus.column + act.columns, places.length),
        }
        select(event.shiftKey ? anchor : to, to)
      }
    }
  }

  function accessIn({ top, bottom, left, right }: Span) {
    return groups.slice(top, bottom + 1).map(({ _id: group }) =>
      places.slice(left, right + 1).map(({ _id: place }): Access => {
        const [first] = cells(group, place).schedules
        return first === undefined ? undefined : { schedule: first }
      }),
    )
  }

  /** One copied cell fills the selection; several are pasted from its first cell on. */
  function paste(span: Span) {
    const [[single] = []] = copied
    if (copied.length === 1 && copied[0]?.length === 1) {
      return onChange(pairsIn(span).map((pair) => ({ ...pair, access: single })))
    }
    onChange(
      copied.flatMap((row, down) =>
        row.flatMap((access, along) => {
          const [group, place] = [groups[span.top + down], places[span.left + along]]
          return group && place ? [{ group: group._id, place: place._id, access }] : []
        }),
      ),
    )
  }

  const span = anchor && spanOf(anchor, focus)
  return (
    <div className={styles.panel}>
      <table role="grid" aria-label={label} aria-multiselectable onKeyDown={pressed} className={styles.grid}>
        <thead>
          <tr>
            <th scope="col">{text('matrix.groups')}</th>
            {places.map(({ _id, name, second }, column) => (
              <th key={_id} scope="col" title={name}>
                <button type="button" tabIndex={-1} onClick={() => selectAll({ column })}>
                  <bdi>{name}</bdi>
                  {second && <small>{second}</small>}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {groups.map((group, row) => (
            <tr key={group._id}>
              <th scope="row" title={group.name}>
                <button type="button" tabIndex={-1} onClick={() => selectAll({ row })}>
                  <bdi>{group.name}</bdi>
                </button>
              </th>
              {places.map((place, column) => {
                const cell = cells(group._id, place._id)
                const isSelected = span !== undefined && isIn(span, { row, column })
                const words = accessWords(cell, scheduleName)
                return (
                  <td
                    key={place._id}
                    role="gridcell"
                    tabIndex={focus.row === row && focus.column === column ? 0 : -1}
                    aria-selected={isSelected}
                    aria-label={text('matrix.cell', { group: group.name, place: place.name, access: words })}
                    title={words}
                    data-changed={cell.isChanged ? '' : undefined}
                    onFocus={() => anchor ?? select({ row, column }, { row, column })}
                    onPointerDown={(event) => {
                      hasMoved.current = false
                      select(event.shiftKey && anchor ? anchor : { row, column }, { row, column })
                    }}
                    onPointerEnter={(event) => {
                      if (event.buttons === 1 && event.pointerType === 'mouse' && anchor)
                        select(anchor, { row, column })
                    }}
                  >
                    <CellContent cell={cell} scheduleName={scheduleName} />
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function CellContent({ cell, scheduleName }: { cell: Cell; scheduleName: Props['scheduleName'] }) {
  const { schedules, isDenied, isChanged, through, others } = cell
  return (
    <span className={styles.cell}>
      {isDenied && (
        <span data-tone="no">
          <IconBan size={14} aria-hidden="true" /> {text('matrix.denied')}
        </span>
      )}
      {schedules.length > 0 && (!isDenied || isChanged) && (
        <span data-tone="ok">
          <IconCheck size={14} aria-hidden="true" /> <bdi>{scheduleWords(schedules, scheduleName)}</bdi>
        </span>
      )}
      {schedules.length === 0 && !isDenied && through.length > 0 && (
        <span data-tone="soft">
          <IconArrowForward size={14} aria-hidden="true" /> <bdi>{listOf(through)}</bdi>
        </span>
      )}
      {others > 0 && <IconDots size={14} aria-hidden="true" />}
    </span>
  )
}

function scheduleWords(schedules: Cell['schedules'], scheduleName: Props['scheduleName']) {
  return listOf(schedules.map((each) => (each === null ? text('matrix.always') : scheduleName(each))))
}

/** Everything about a cell, for screen readers and as its title. */
function accessWords({ schedules, isDenied, isChanged, through, others }: Cell, scheduleName: Props['scheduleName']) {
  const own = schedules.length > 0 ? [scheduleWords(schedules, scheduleName)] : []
  return listOf([
    ...(isDenied ? [text('matrix.denied')] : []),
    ...(own.length === 0 && through.length === 0 && !isDenied ? [text('matrix.noAccess')] : own),
    ...(through.length > 0 ? [text('matrix.through', { names: listOf(through) })] : []),
    ...(others > 0 ? [text('matrix.others', { count: others })] : []),
    ...(isChanged ? [text('matrix.changed')] : []),
  ])
}

type Span = { top: number; bottom: number; left: number; right: number }

function spanOf(one: Spot, other: Spot): Span {
  return {
    top: Math.min(one.row, other.row),
    bottom: Math.max(one.row, other.row),
    left: Math.min(one.column, other.column),
    right: Math.max(one.column, other.column),
  }
}

function isIn({ top, bottom, left, right }: Span, { row, column }: Spot) {
  return row >= top && row <= bottom && column >= left && column <= right
}

function within(index: number, count: number) {
  return Math.max(0, Math.min(index, count - 1))
}

const steps: Readonly<Record<string, { rows: number; columns: number }>> = {
  ArrowUp: { rows: -1, columns: 0 },
  ArrowDown: { rows: 1, columns: 0 },
  ArrowLeft: { rows: 0, columns: -1 },
  ArrowRight: { rows: 0, columns: 1 },
  Home: { rows: 0, columns: -Infinity },
  End: { rows: 0, columns: Infinity },
}
const commands = { a: 'all', c: 'copy', v: 'paste', z: 'undo' } as const

function commandOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) {
  if (altKey) return undefined
  if (ctrlKey || metaKey) return Object.entries(commands).find(([letter]) => letter === key.toLowerCase())?.[1]
  if (key === 'Delete' || key === 'Backspace') return 'none'
  return key.toLowerCase() === 'a' ? 'always' : steps[key]
}
