import { Button, Checkbox, Popover } from '@mantine/core'
import { IconColumns3, IconGripVertical } from '@tabler/icons-react'
import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { text } from '../../text/text.ts'
import styles from './column-chooser.module.css'
import { isInitial, moved, namingColumn } from './shown-columns.ts'

type Choice = { key: string; label: string; phone?: string; isExtra?: boolean }

type Props = {
  columns: readonly Choice[]
  /** Keys of the visible columns, in their order. */
  shown: readonly string[]
  /** `null`: the default columns of the list. */
  onChange: (keys: readonly string[] | null) => void
}

/** Selects the columns of a list and their order: by mouse, touch and keyboard. */
export function ColumnChooser({ columns, shown, onChange }: Props) {
  const [announcement, setAnnouncement] = useState('')
  const hidden = columns.filter(({ key }) => !shown.includes(key))
  const naming = namingColumn(columns)
  const labelOf = (key: string) => columns.find((column) => column.key === key)?.label ?? key

  function move(key: string, to: number) {
    const next = moved(shown, { key, to })
    if (next.join() === shown.join()) return
    onChange(next)
    setAnnouncement(text('list.columnAt', { name: labelOf(key), at: next.indexOf(key) + 1, count: next.length }))
  }

  return (
    <Popover position="bottom-end" width={290} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconColumns3 size={16} aria-hidden="true" />}>
          {text('list.columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={text('list.columns')}>
        <p className={styles.hint}>{text('list.columnsHint')}</p>
        <ul className={styles.columns}>
          {shown.map((key, index) => (
            <li key={key} className={styles.column} data-column={key}>
              <Checkbox
                size="xs"
                checked
                label={labelOf(key)}
                disabled={key === naming?.key}
                description={key === naming?.key ? text('list.always') : undefined}
                onChange={() => onChange(shown.filter((each) => each !== key))}
              />
              <MoveHandle label={labelOf(key)} index={index} onMove={(to) => move(key, to)} />
            </li>
          ))}
        </ul>
        {hidden.length > 0 && (
          <ul className={styles.columns} data-hidden="">
            {hidden.map(({ key, label }) => (
              <li key={key} className={styles.column}>
                <Checkbox size="xs" checked={false} label={label} onChange={() => onChange([...shown, key])} />
              </li>
            ))}
          </ul>
        )}
        <Button
          variant="subtle"
          size="xs"
          mt={8}
          disabled={isInitial(columns, shown)}
          onClick={() => {
            onChange(null)
            setAnnouncement('')
          }}
        >
          {text('list.resetColumns')}
        </Button>
        <div role="status" className={styles.announcement}>
          {announcement}
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}

type HandleProps = { label: string; index: number; onMove: (to: number) => void }

/** A handle that drags its row to another place, or moves it with the arrow keys. */
function MoveHandle({ label, index, onMove }: HandleProps) {
  function byKey(event: KeyboardEvent) {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    onMove(index + step)
  }

  function drag(event: PointerEvent<HTMLElement>) {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const to = indexBelow(event)
    if (to !== undefined && to !== index) onMove(to)
  }

  return (
    <button
      type="button"
      className={styles.handle}
      aria-label={text('list.moveColumn', { name: label })}
      onKeyDown={byKey}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
    >
      <IconGripVertical size={16} aria-hidden="true" />
    </button>
  )
}

const steps: Partial<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }

/** The place of the row under the pointer, including above the first and below the last. */
function indexBelow({ currentTarget, clientY }: PointerEvent<HTMLElement>) {
  const rows = [...(currentTarget.closest('ul')?.children ?? [])]
  const index = rows.findIndex((row) => clientY < row.getBoundingClientRect().bottom)
  return index === -1 ? rows.length - 1 : index
}
