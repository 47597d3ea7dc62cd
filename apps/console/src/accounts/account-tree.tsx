import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import type { AccountNode } from '@portcullis/contract/calls/authentication'
import { type KeyboardEvent, useId, useState } from 'react'
import { StateTag } from '../ui/state-tag.tsx'
import { countBelow } from '../account-tree/account-hierarchy.ts'
import { useFixedRows } from '../ui/use-fixed-rows.ts'
import { text } from '../text/text.ts'
import styles from './account-tree.module.css'
import { type TreeRow, treeRows, treeStep } from './tree-rows.ts'

const rowPx = 44

type Props = { label: string; nodes: readonly AccountNode[]; openId: string | undefined; onOpen: (id: string) => void }

/** Accounts as a tree. It is one stop of the Tab key; arrows move within. */
export function AccountTree({ label, nodes, openId, onOpen }: Props) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [activeId, setActiveId] = useState<string>()
  const id = useId()
  const rows = treeRows(nodes, closed)
  const active = Math.max(
    0,
    rows.findIndex(({ node }) => node._id === activeId),
  )
  const { box, bringIntoView, from, to, beforePx, afterPx } = useFixedRows<HTMLDivElement>({
    count: rows.length,
    rowPx,
  })
  // The active row is referred to by its id, so it is rendered even outside the visible part.
  const drawn = rows.slice(from, to).map((row, index) => ({ row, index: from + index }))
  const isActiveDrawn = active >= from && active < to

  function press(event: KeyboardEvent) {
    const step = treeStep(rows, { at: active, key: event.key })
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    if (step.to !== undefined) {
      setActiveId(rows[step.to]?.node._id)
      bringIntoView(step.to)
    }
    if (step.open !== undefined) toggle(step.open)
    if (step.close !== undefined) toggle(step.close)
    if (step.choose !== undefined) onOpen(step.choose)
  }

  function toggle(account: string) {
    setClosed((current) => current.symmetricDifference(new Set([account])))
  }

  return (
    <>
      <p id={`${id}-keys`} className={styles.hint}>
        {text('accounts.keys')}
      </p>
      <div
        ref={box}
        role="tree"
        aria-label={label}
        aria-describedby={`${id}-keys`}
        aria-activedescendant={isActiveDrawn ? `${id}-${active}` : undefined}
        tabIndex={0}
        className={styles.tree}
        onKeyDown={press}
      >
        <div role="presentation" style={{ paddingTop: beforePx, paddingBottom: afterPx }}>
          {drawn.map(({ row, index }) => (
            <Row
              key={row.node._id}
              id={`${id}-${index}`}
              row={row}
              isActive={index === active}
              isShown={row.node._id === openId}
              onToggle={() => toggle(row.node._id)}
              onOpen={() => {
                setActiveId(row.node._id)
                onOpen(row.node._id)
              }}
            />
          ))}
        </div>
      </div>
    </>
  )
}

type RowProps = {
  id: string
  row: TreeRow
  isActive: boolean
  isShown: boolean
  onToggle: () => void
  onOpen: () => void
}

function Row({ id, row, isActive, isShown, onToggle, onOpen }: RowProps) {
  const { node, level, isOpen, size, place } = row
  const below = countBelow(node)
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <div
      id={id}
      role="treeitem"
      aria-level={level}
      aria-posinset={place}
      aria-setsize={size}
      aria-expanded={below > 0 ? isOpen : undefined}
      aria-selected={isShown}
      data-active={isActive ? '' : undefined}
      className={styles.row}
      style={{ height: rowPx, paddingInlineStart: 12 + Math.min(level - 1, 12) * 22 }}
      onClick={onOpen}
    >
      <span
        className={styles.chevron}
        onClick={(event) => {
          if (below === 0) return
          event.stopPropagation()
          onToggle()
        }}
      >
        {below > 0 && <Chevron size={16} aria-hidden="true" />}
      </span>
      <bdi className={styles.name}>{node.name}</bdi>
      <span className={styles.ref}>{node.ref}</span>
      {node.status === 'suspended' && <StateTag state="suspended">{text('accounts.statuses.suspended')}</StateTag>}
      {below > 0 && <span className={styles.below}>{text('accounts.below', { count: below })}</span>}
    </div>
  )
}
