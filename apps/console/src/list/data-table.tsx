import { Checkbox } from '@mantine/core'
import type { Sort } from '@portcullis/contract/list-query'
import { type ReactNode, useCallback, useEffect, useId, useRef } from 'react'
import { text } from '../text/text.ts'
import styles from './data-table.module.css'
import { type Arrival, DataRow, RowGap } from './data-row.tsx'
import { HeadCell } from './head-cell.tsx'
import { idOf, nameOf } from '../item/item-parts.ts'
import { namingColumn } from './views/shown-columns.ts'
import { useRowKeys } from './use-row-keys.ts'
import type { Selection } from './bulk/use-selection.ts'
import { useWindowedRows } from './use-windowed-rows.ts'

/** A column of a table over items of type `T`. */
export type Column<T> = {
  key: string
  /** By default the label of the field that the key names. */
  label?: string
  cell: (item: T) => ReactNode
  /** The field that the server sorts by; without it the column does not sort. */
  sort?: (keyof T & string) | `${keyof T & string}.${string}` | 'createdAt' | 'updatedAt'
  /** Such as `124px`; columns without one share the remaining width. */
  width?: string
  /**
   * Where it appears when a row becomes a card on a phone: `title` large at the left, `aside` at its right, `line` below
   * with its label, `plain` below without, `hidden` nowhere. A card has room for three or four.
   */
  phone?: 'title' | 'aside' | 'line' | 'plain' | 'hidden'
  /** Hidden until the user selects it. */
  isExtra?: boolean
  /** The fields of the item in an export of the list, with their titles; by default the field of its sort or key. */
  fields?: Readonly<Partial<Record<keyof T & string, string>>>
}

/** A column as a table draws it. */
export type LabelledColumn<T> = Column<T> & { label: string }

type Props<T> = {
  label: string
  items: readonly T[]
  columns: readonly LabelledColumn<T>[]
  /** How many there are on all pages, if known, and the index of the first row among them, from 0. */
  total: number | undefined
  firstAt: number
  sort?: Sort | undefined
  onSort?: ((sort: Required<Sort>) => void) | undefined
  onOpen?: ((item: T) => void) | undefined
  /** The name of a row's button for screen readers; by default the item's name. */
  rowName?: ((item: T) => string) | undefined
  openId?: string | undefined
  /** How a row that has just arrived appears. */
  arrivalOf?: ((item: T) => Arrival | undefined) | undefined
  isGone?: ((item: T) => boolean) | undefined
  /** In pixels, where the table scrolls sideways inside its container. */
  minWidth?: number | undefined
  selection?: Selection<T> | undefined
  /** Arranges the cells of a card on phones differently from the columns' `phone`. */
  className?: string | undefined
}

/** Items in rows, as cards on phones. Of many rows only those near the window are drawn; all are counted and reached by keys. */
export function DataTable<T>(props: Props<T>) {
  const { label, items, columns, total, firstAt, sort, onSort, rowName, selection } = props
  const keyAt = useCallback((index: number) => idOf(items[index]), [items])
  const { body, rows, afterPx, measure, bringIntoView } = useWindowedRows({ count: items.length, keyAt })
  const hint = useId()
  const naming = namingColumn(columns)
  const namingAt = columns.findIndex((column) => column === naming)

  // The same functions every time, so that rows are not drawn again for nothing; they act on the rows that are visible when called.
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  const onOpen = useCallback((item: unknown) => {
    const found = latest.current.items.find((each) => each === item)
    if (found !== undefined) latest.current.onOpen?.(found)
  }, [])
  const onSelect = useCallback((index: number, isRange: boolean) => {
    const item = latest.current.items[index]
    if (item !== undefined) latest.current.selection?.toggle(item, { isRange })
  }, [])

  const keys = useRowKeys({ count: items.length, bringIntoView, onSelect: selection && onSelect })

  function cellAt(index: number, at: number) {
    const item = items[index]
    return item === undefined ? null : columns[at]?.cell(item)
  }

  return (
    <>
      <span id={hint} className={styles.hint}>
        {text(selection ? 'list.keys' : 'list.keysToOpen')}
      </span>
      <table
        className={`${styles.table} ${props.className ?? ''}`}
        aria-label={label}
        aria-describedby={props.onOpen ? hint : undefined}
        aria-rowcount={total === undefined ? -1 : total + 1}
        role="table"
        style={{ minWidth: props.minWidth }}
      >
        <colgroup>
          {selection && <col style={{ width: 44 }} />}
          {columns.map(({ key, width }) => (
            <col key={key} style={width ? { width } : undefined} />
          ))}
        </colgroup>
        <thead role="rowgroup">
          <tr role="row" aria-rowindex={1}>
            {selection && <SelectPage selection={selection} />}
            {columns.map((column) => (
              <HeadCell key={column.key} column={column} isNaming={column === naming} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" ref={body} onKeyDown={keys}>
          {rows.map(({ index, gapPx }) => {
            const item = items[index]
            if (item === undefined) return null
            const openName = rowName?.(item)
            return (
              <DataRow
                key={idOf(item)}
                item={item}
                index={index}
                at={firstAt + index + 1}
                gapPx={gapPx}
                columns={columns}
                cellAt={cellAt}
                namingAt={namingAt}
                name={openName ?? nameOf(item) ?? idOf(item)}
                openName={openName}
                isOpen={props.openId === idOf(item)}
                arrival={props.arrivalOf?.(item)}
                isGone={props.isGone?.(item) ?? false}
                isSelected={selection?.isSelected(item)}
                onSelect={onSelect}
                onOpen={props.onOpen && onOpen}
                measure={measure}
              />
            )
          })}
          <RowGap height={afterPx} />
        </tbody>
      </table>
    </>
  )
}

function SelectPage<T>({ selection }: { selection: Selection<T> }) {
  return (
    <th role="columnheader" scope="col" className={styles.check}>
      <Checkbox
        size="xs"
        aria-label={text('list.selectAll')}
        checked={selection.chosen === 'all'}
        indeterminate={selection.chosen === 'some'}
        onChange={selection.togglePage}
      />
    </th>
  )
}
