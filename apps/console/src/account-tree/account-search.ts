import type { AccountNode } from '@portcullis/contract/calls/authentication'
import { locale } from '../text/language.ts'

const byName = new Intl.Collator(locale, { numeric: true })

/** Ten thousand names take longer to sort than to search, and their order does not depend on the search. */
const sorted = new WeakMap<readonly AccountNode[], readonly AccountNode[]>()

/** The accounts whose names contain the text, in any case, with their parents; sorted by name at every level. */
export function foundAccounts(nodes: readonly AccountNode[], search: string): readonly AccountNode[] {
  const needle = search.trim().toLowerCase()
  return needle === '' ? sortedOnce(nodes) : matching(sortedOnce(nodes), needle)
}

/** Whether an account matches itself, not only an account below it. */
export function isFound({ name }: AccountNode, search: string) {
  return name.toLowerCase().includes(search.trim().toLowerCase())
}

/** The tree as rows, each with its depth. */
export function flatAccounts(nodes: readonly AccountNode[]): { node: AccountNode; depth: number }[] {
  const rows: { node: AccountNode; depth: number }[] = []
  add(nodes, 0)
  return rows

  function add(siblings: readonly AccountNode[], depth: number) {
    for (const node of siblings) {
      rows.push({ node, depth })
      add(node.children, depth + 1)
    }
  }
}

function sortedOnce(nodes: readonly AccountNode[]): readonly AccountNode[] {
  const cached = sorted.get(nodes)
  if (cached) return cached
  const fresh = sort(nodes)
  sorted.set(nodes, fresh)
  return fresh
}

function sort(nodes: readonly AccountNode[]): AccountNode[] {
  return nodes
    .map((node) => (node.children.length === 0 ? node : { ...node, children: sort(node.children) }))
    .toSorted((a, b) => byName.compare(a.name, b.name))
}

function matching(nodes: readonly AccountNode[], needle: string): AccountNode[] {
  return nodes.flatMap((node) => {
    const children = node.children.length === 0 ? node.children : matching(node.children, needle)
    if (children.length === 0 && !node.name.toLowerCase().includes(needle)) return []
    return [children === node.children ? node : { ...node, children }]
  })
}
