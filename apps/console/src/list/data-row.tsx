import { Checkbox, VisuallyHidden } from '@mantine/core'
import { type ChangeEvent, memo, type MouseEvent, type ReactNode } from 'react'
import { text } from '../text/text.ts'
import styles from './data-table.module.css'

/** A new row slides in, or appears at once when many arrive, because many sliding rows are unreadable. */
export type Arrival = 'slides' | 'stands'

type Props = {
  /** The item: the row is drawn again when it is another object. */
  item: unknown
  /** Its place on the page, from 0. */
  index: number
  /** Its place among all pages, from 1. */
  at: number
  /** The height of the rows left out before it. */
  gapPx: number
  columns: readonly { key: string; label: string; phone?: string }[]
  /** The content of a column; the same for the same item. */
  cellAt: (index: number, column: number) => ReactNode
  /** The place of the column that names the row, and opens it. */
  namingAt: number
  /** The row's name for screen readers; `openName` only where the cell itself does not contain it. */
  name: string
  openName: string | undefined
  isOpen: boolean
  arrival: Arrival | undefined
  isGone: boolean
  /** Undefined where rows cannot be selected. */
  isSelected: boolean | undefined
  onSelect: (index: number, isRange: boolean) => void
  onOpen: ((item: unknown) => void) | undefined
  measure: ((row: HTMLTableRowElement | null) => void) | undefined
}

/** One item in a row, or on a card. Drawn again only when something in it has changed: a page may have 500. */
export const DataRow = memo(function DataRow(props: Props) {
  const { item, index, at, gapPx, name, isGone, isSelected, onSelect, measure } = props
  const onOpen = isGone ? undefined : props.onOpen

  function openUnlessOther(event: MouseEvent) {
    const isOther = event.target instanceof Element && event.target.closest('a, button, input, label')
    if (!isOther && !document.getSelection()?.toString()) onOpen?.(item)
  }

  return (
    <>
      <RowGap height={gapPx} />
      <tr
        ref={measure}
        role="row"
        aria-rowindex={at + 1}
        data-index={index}
        className={styles.row}
        data-openable={onOpen ? '' : undefined}
        data-open={props.isOpen ? '' : undefined}
        data-new={props.arrival}
        data-gone={isGone ? '' : undefined}
        data-selected={isSelected ? '' : undefined}
        onClick={onOpen ? openUnlessOther : undefined}
      >
        {isSelected !== undefined && (
          <td role="cell" className={styles.check}>
            <Checkbox
              size="xs"
              aria-label={text('list.selectRow', { name })}
              disabled={isGone}
              checked={isSelected}
              onChange={(event) => onSelect(index, hasShift(event))}
            />
          </td>
        )}
        <Cells {...props} onOpen={onOpen} />
      </tr>
    </>
  )
}, isSameRow)

/** Separate from the row, which is drawn again whenever its place changes: for every event that arrives above it. */
const Cells = memo(function Cells({ item, index, columns, cellAt, namingAt, openName, isOpen, isGone, onOpen }: Props) {
  function opened(content: ReactNode) {
    if (!onOpen) return content
    return (
      <button
        type="button"
        className={styles.opener}
        data-row-opener=""
        aria-expanded={isOpen ? true : undefined}
        onClick={() => onOpen(item)}
      >
        {content}
        {openName && <VisuallyHidden component="span">{text('list.open', { name: openName })}</VisuallyHidden>}
      </button>
    )
  }

  return columns.map(({ key, label, phone = 'line' }, column) => (
    <td
      role="cell"
      key={key}
      data-column={key}
      data-phone={phone}
      data-label={label}
      data-naming={column === namingAt ? '' : undefined}
    >
      {column === namingAt ? opened(cellAt(index, column)) : cellAt(index, column)}
      {column === namingAt && isGone && <span className="second">{text('list.gone')}</span>}
    </td>
  ))
}, hasSameCells)

/** The space of the rows that are not drawn. */
export function RowGap({ height }: { height: number }) {
  return height > 0 && <tr aria-hidden="true" className={styles.gap} style={{ height }} />
}

/** `cellAt` is not compared: with the same item and columns it returns the same. */
function isSameRow({ cellAt: _known, ...before }: Props, { cellAt: _next, ...after }: Props) {
  const values = new Map<string, unknown>(Object.entries(before))
  return Object.entries(after).every(([name, value]) => values.get(name) === value)
}

const ofCells = ['item', 'columns', 'namingAt', 'openName', 'isOpen', 'isGone', 'onOpen'] as const

function hasSameCells(before: Props, after: Props) {
  return ofCells.every((name) => before[name] === after[name])
}

function hasShift({ nativeEvent }: ChangeEvent) {
  return nativeEvent instanceof window.MouseEvent && nativeEvent.shiftKey
}
