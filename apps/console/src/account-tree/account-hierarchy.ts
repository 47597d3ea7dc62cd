import type { AccountNode } from '@portcullis/contract/calls/authentication'

/** The nodes on the way from the top to an account, itself last; empty where it is not among them. */
export function wayTo(nodes: readonly AccountNode[], id: string): readonly AccountNode[] {
  for (const node of nodes) {
    if (node._id === id) return [node]
    const way = wayTo(node.children, id)
    if (way.length > 0) return [node, ...way]
  }
  return []
}

/** An account with all below it, as a tree of one. */
export function branchOf(nodes: readonly AccountNode[], id: string): readonly AccountNode[] {
  const node = wayTo(nodes, id).at(-1)
  return node ? [node] : []
}

export function countBelow({ children }: AccountNode): number {
  return children.reduce((count, child) => count + 1 + countBelow(child), 0)
}
