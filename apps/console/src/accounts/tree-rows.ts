import type { AccountNode } from '@portcullis/contract/calls/authentication'

export type TreeRow = { node: AccountNode; level: number; parent: number; isOpen: boolean; size: number; place: number }

/** The rows of a tree from the top down: a closed account hides all below it. `parent` is the index of the row above it, or -1. */
export function treeRows(nodes: readonly AccountNode[], closed: ReadonlySet<string>): TreeRow[] {
  const rows: TreeRow[] = []
  add(nodes, { level: 1, parent: -1 })
  return rows

  function add(siblings: readonly AccountNode[], { level, parent }: { level: number; parent: number }) {
    siblings.forEach((node, index) => {
      const isOpen = node.children.length > 0 && !closed.has(node._id)
      rows.push({ node, level, parent, isOpen, size: siblings.length, place: index + 1 })
      if (isOpen) add(node.children, { level: level + 1, parent: rows.length - 1 })
    })
  }
}

/** The row to which a key moves, or the effect of the key on the row. */
export function treeStep(rows: readonly TreeRow[], { at, key }: { at: number; key: string }) {
  const row = rows[at]
  switch (key) {
    case 'ArrowDown':
      return { to: Math.min(at + 1, rows.length - 1) }
    case 'ArrowUp':
      return { to: Math.max(at - 1, 0) }
    case 'Home':
      return { to: 0 }
    case 'End':
      return { to: rows.length - 1 }
    case 'ArrowRight':
      if (!row || row.node.children.length === 0) return undefined
      return row.isOpen ? { to: at + 1 } : { open: row.node._id }
    case 'ArrowLeft':
      if (row?.isOpen) return { close: row.node._id }
      return row && row.parent >= 0 ? { to: row.parent } : undefined
    case 'Enter':
    case ' ':
      return row && { choose: row.node._id }
    default:
      return undefined
  }
}
