import { Checkbox } from '@mantine/core'
import type { ChangeEvent, MouseEvent, ReactNode } from 'react'
import { text } from '../text/text.ts'
import styles from './data-table.module.css'
import type { Column } from './data-table.tsx'
import { idOf, nameOf } from './item-parts.ts'
import { namingColumn } from './shown-columns.ts'

type Props<T> = {
  item: T
  /** The height of the rows that are left out before it. */
  gapPx: number
  /** Its place on the page, from 0. */
  index: number
  /** Its place on all pages, from 1. */
  at: number
  columns: readonly Column<T>[]
  name: string | undefined
  isOpen: boolean
  isNew: boolean
  isGone: boolean
  /** Nothing where rows can't be selected. */
  isSelected: boolean | undefined
  onSelect: ((item: T, how: { isRange: boolean }) => void) | undefined
  onOpen: ((item: T) => void) | undefined
  measure: ((row: HTMLElement | null) => (() => void) | undefined) | undefined
}

/** One item in a row, or on a card. */
export function DataRow<T>(props: Props<T>) {
  const { item, gapPx, index, at, columns, name, isOpen, isNew, isGone, isSelected, onSelect, onOpen, measure } = props
  const naming = namingColumn(columns)

  function openUnlessOther(event: MouseEvent) {
    const isOther = event.target instanceof Element && event.target.closest('a, button, input, label')
    if (!isOther && !document.getSelection()?.toString()) onOpen?.(item)
  }

  function opened(content: ReactNode) {
    if (!onOpen || isGone) return content
    return (
      <button
        type="button"
        className={styles.opener}
        data-row-opener=""
        aria-label={name && text('list.open', { name })}
        onClick={() => onOpen(item)}
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
        data-openable={onOpen && !isGone ? '' : undefined}
        data-open={isOpen ? '' : undefined}
        data-new={isNew ? '' : undefined}
        data-gone={isGone ? '' : undefined}
        data-selected={isSelected ? '' : undefined}
        onClick={onOpen && !isGone ? openUnlessOther : undefined}
      >
        {isSelected !== undefined && (
          <td role="cell" className={styles.check}>
            <Checkbox
              size="xs"
              aria-label={text('list.selectRow', { name: name ?? nameOf(item) ?? idOf(item) })}
              disabled={isGone}
              checked={isSelected}
              onChange={(event) => onSelect?.(item, { isRange: hasShift(event) })}
            />
          </td>
        )}
        {columns.map((column) => {
          const { key, label, cell, phone = 'line' } = column
          return (
            <td role="cell" key={key} data-phone={phone} data-label={label}>
              {column === naming ? opened(cell(item)) : cell(item)}
              {column === naming && isGone && <span className="second">{text('list.gone')}</span>}
            </td>
          )
        })}
      </tr>
    </>
  )
}

/** The room of the rows that are not drawn. */
export function RowGap({ height }: { height: number }) {
  return height > 0 && <tr aria-hidden="true" className={styles.gap} style={{ height }} />
}

function hasShift({ nativeEvent }: ChangeEvent) {
  return nativeEvent instanceof PointerEvent || nativeEvent instanceof window.MouseEvent ? nativeEvent.shiftKey : false
}
