import { Checkbox } from '@mantine/core'
import type { Sort } from '@portcullis/contract/list-query'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { MouseEvent, ReactNode } from 'react'
import { text } from '../text/text.ts'
import styles from './data-table.module.css'
import { idOf, nameOf } from './item-parts.ts'

/** A column of a table over items of type `T`. */
export type Column<T> = {
  key: string
  label: string
  cell: (item: T) => ReactNode
  /** The field that the server sorts by; without it the column does not sort. */
  sort?: keyof T & string
  /** Such as `124px`; columns without one share what is left. */
  width?: string
  /**
   * Where it stands when a row becomes a card on a telephone: `title` large at the left, `aside` at the right of it, `line` below
   * with its label, `plain` below without, `hidden` nowhere.
   */
  phone?: 'title' | 'aside' | 'line' | 'plain' | 'hidden'
}

export type Selection = { ids: ReadonlySet<string>; onChange: (ids: ReadonlySet<string>) => void }

type Props<T> = {
  label: string
  items: readonly T[]
  columns: readonly Column<T>[]
  sort?: Sort | undefined
  onSort?: (sort: Required<Sort>) => void
  onOpen?: ((item: T) => void) | undefined
  /** What a row's button is called to those who can't see it; the item's name where nothing is said. */
  rowName?: ((item: T) => string) | undefined
  openId?: string | undefined
  isNew?: ((item: T) => boolean) | undefined
  selection?: Selection | undefined
}

/** Items in rows, as cards on telephones: what `CollectionTable` draws, for screens that fetch by themselves. */
export function DataTable<T>({ label, items, columns, sort, onSort, selection, ...rows }: Props<T>) {
  return (
    <table className={styles.table} aria-label={label} role="table">
      <colgroup>
        {selection && <col style={{ width: 44 }} />}
        {columns.map(({ key, width }) => (
          <col key={key} style={width ? { width } : undefined} />
        ))}
      </colgroup>
      <thead role="rowgroup">
        <tr role="row">
          {selection && <SelectAll items={items} selection={selection} />}
          {columns.map((column) => (
            <Head key={column.key} column={column} sort={sort} onSort={onSort} />
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {items.map((item) => (
          <Row key={idOf(item)} item={item} columns={columns} selection={selection} {...rows} />
        ))}
      </tbody>
    </table>
  )
}

type HeadProps<T> = {
  column: Column<T>
  sort: Sort | undefined
  onSort: ((sort: Required<Sort>) => void) | undefined
}

function Head<T>({ column: { label, sort: prop }, sort, onSort }: HeadProps<T>) {
  if (!prop || !onSort) {
    return (
      <th role="columnheader" scope="col">
        {label}
      </th>
    )
  }
  const dir = sort?.prop === prop ? (sort.dir ?? 'desc') : undefined
  return (
    <th role="columnheader" scope="col" aria-sort={dir && (dir === 'asc' ? 'ascending' : 'descending')}>
      <button
        type="button"
        className={styles.sort}
        onClick={() => onSort({ prop, dir: dir === 'asc' ? 'desc' : 'asc' })}
      >
        {label}
        {dir === 'asc' && <IconArrowUp size={13} aria-hidden="true" />}
        {dir === 'desc' && <IconArrowDown size={13} aria-hidden="true" />}
      </button>
    </th>
  )
}

type RowProps<T> = Omit<Props<T>, 'label' | 'items' | 'sort' | 'onSort'> & { item: T }

function Row<T>({ item, columns, onOpen, rowName, openId, isNew, selection }: RowProps<T>) {
  const id = idOf(item)

  function openUnlessOther(event: MouseEvent) {
    const isOther = event.target instanceof Element && event.target.closest('a, button, input, label')
    if (!isOther && !document.getSelection()?.toString()) onOpen?.(item)
  }

  return (
    <tr
      role="row"
      className={styles.row}
      data-openable={onOpen ? '' : undefined}
      data-open={openId === id ? '' : undefined}
      data-new={isNew?.(item) ? '' : undefined}
      onClick={onOpen ? openUnlessOther : undefined}
    >
      {selection && (
        <td role="cell" className={styles.check}>
          <Checkbox
            size="xs"
            aria-label={text('list.selectRow', { name: rowName?.(item) ?? nameOf(item) ?? '' })}
            checked={selection.ids.has(id)}
            onChange={() => selection.onChange(toggled(selection.ids, id))}
          />
        </td>
      )}
      {columns.map(({ key, label, cell, phone = 'line' }, index) => (
        <td role="cell" key={key} data-phone={phone} data-label={label}>
          {index === 0 && onOpen ? (
            <button
              type="button"
              className={styles.opener}
              aria-label={rowName && text('list.open', { name: rowName(item) })}
              onClick={() => onOpen(item)}
            >
              {cell(item)}
            </button>
          ) : (
            cell(item)
          )}
        </td>
      ))}
    </tr>
  )
}

function SelectAll({ items, selection }: { items: readonly unknown[]; selection: Selection }) {
  const ids = items.map(idOf)
  const chosen = ids.filter((id) => selection.ids.has(id)).length
  const isAll = chosen > 0 && chosen === ids.length
  return (
    <th role="columnheader" scope="col" className={styles.check}>
      <Checkbox
        size="xs"
        aria-label={text('list.selectAll')}
        checked={isAll}
        indeterminate={chosen > 0 && !isAll}
        onChange={() => selection.onChange(new Set(isAll ? [] : ids))}
      />
    </th>
  )
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return next
}
