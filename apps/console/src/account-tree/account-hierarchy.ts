import type { AccountNode } from '@portcullis/contract/calls/authentication'

/** The nodes from the top to an account, itself last; empty where it is not among them. */
export function wayTo(nodes: readonly AccountNode[], id: string): readonly AccountNode[] {
  for (const node of nodes) {
    if (node._id === id) return [node]
    const way = wayTo(node.children, id)
    if (way.length > 0) return [node, ...way]
  }
  return []
}

/** An account with all accounts below it, as a tree. */
export function branchOf(nodes: readonly AccountNode[], id: string): readonly AccountNode[] {
  const node = wayTo(nodes, id).at(-1)
  return node ? [node] : []
}

export function countBelow({ children }: AccountNode): number {
  return children.reduce((count, child) => count + 1 + countBelow(child), 0)
}
