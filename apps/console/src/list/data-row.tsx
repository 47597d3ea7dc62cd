import { Checkbox } from '@mantine/core'
import { type ChangeEvent, memo, type MouseEvent, type ReactNode } from 'react'
import { text } from '../text/text.ts'
import styles from './data-table.module.css'

type Props = {
  /** The item: a row is drawn anew when it is another one. */
  item: unknown
  /** Its place on the page, from 0. */
  index: number
  /** Its place on all pages, from 1. */
  at: number
  /** The height of the rows that are left out before it. */
  gapPx: number
  columns: readonly { key: string; label: string; phone?: string }[]
  /** What stands in a column; the same for the same item. */
  cellAt: (index: number, column: number) => ReactNode
  /** The place of the column that names the row, and opens it. */
  namingAt: number
  /** What the row is called to those who can't see it; `openName` only where the cell itself does not say it. */
  name: string
  openName: string | undefined
  isOpen: boolean
  isNew: boolean
  isGone: boolean
  /** Nothing where rows can't be selected. */
  isSelected: boolean | undefined
  onSelect: (index: number, isRange: boolean) => void
  onOpen: ((index: number) => void) | undefined
  measure: ((row: HTMLElement | null) => (() => void) | undefined) | undefined
}

/** One item in a row, or on a card. Drawn anew only when something of it has changed: a page may have 500. */
export const DataRow = memo(function DataRow(props: Props) {
  const { index, at, gapPx, columns, cellAt, namingAt, name, openName, isGone, isSelected, onSelect, measure } = props
  const onOpen = isGone ? undefined : props.onOpen

  function openUnlessOther(event: MouseEvent) {
    const isOther = event.target instanceof Element && event.target.closest('a, button, input, label')
    if (!isOther && !document.getSelection()?.toString()) onOpen?.(index)
  }

  function opened(content: ReactNode) {
    if (!onOpen) return content
    return (
      <button
        type="button"
        className={styles.opener}
        data-row-opener=""
        aria-label={openName && text('list.open', { name: openName })}
        onClick={() => onOpen(index)}
      >
        {content}
      </button>
    )
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
        data-new={props.isNew ? '' : undefined}
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
        {columns.map(({ key, label, phone = 'line' }, column) => (
          <td
            role="cell"
            key={key}
            data-phone={phone}
            data-label={label}
            data-naming={column === namingAt ? '' : undefined}
          >
            {column === namingAt ? opened(cellAt(index, column)) : cellAt(index, column)}
            {column === namingAt && isGone && <span className="second">{text('list.gone')}</span>}
          </td>
        ))}
      </tr>
    </>
  )
}, isSameRow)

/** The room of the rows that are not drawn. */
export function RowGap({ height }: { height: number }) {
  return height > 0 && <tr aria-hidden="true" className={styles.gap} style={{ height }} />
}

/** The way to its cells does not count: with the same item and columns it leads to the same. */
function isSameRow({ cellAt: _known, ...before }: Props, { cellAt: _next, ...after }: Props) {
  const values = new Map<string, unknown>(Object.entries(before))
  return Object.entries(after).every(([name, value]) => values.get(name) === value)
}

function hasShift({ nativeEvent }: ChangeEvent) {
  return nativeEvent instanceof window.MouseEvent && nativeEvent.shiftKey
}
