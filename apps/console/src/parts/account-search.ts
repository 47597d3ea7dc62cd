import type { AccountNode } from '@portcullis/contract/calls/authentication'

/** The accounts whose names hold the words, in any case, with the parents that lead to them; sorted by name at every level. */
export function foundAccounts(nodes: readonly AccountNode[], search: string): AccountNode[] {
  const wanted = search.trim().toLowerCase()
  return nodes
    .map((node) => ({ ...node, children: foundAccounts(node.children, search) }))
    .filter((node) => node.children.length > 0 || node.name.toLowerCase().includes(wanted))
    .sort((a, b) => a.name.localeCompare(b.name))
}

/** The tree as rows, each with how deep it stands. */
export function flatAccounts(nodes: readonly AccountNode[], depth = 0): { node: AccountNode; depth: number }[] {
  return nodes.flatMap((node) => [{ node, depth }, ...flatAccounts(node.children, depth + 1)])
}
