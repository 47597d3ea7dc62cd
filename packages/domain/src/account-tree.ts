/** An account as a node of the hierarchy. */
export type AccountNode = { readonly _id: string; readonly parent: string | null }

/** The account itself, then its parent, up to the root; nothing for an account that does not exist. Ends at a loop. */
export function lineageOf(accounts: ReadonlyMap<string, AccountNode>, account: string): string[] {
  const lineage = new Set<string>()
  let node = accounts.get(account)
  while (node !== undefined && !lineage.has(node._id)) {
    lineage.add(node._id)
    node = node.parent === null ? undefined : accounts.get(node.parent)
  }
  return [...lineage]
}

/** The accounts above one in a flat list, nearest first. */
export function ancestorsOf(accounts: readonly AccountNode[], account: string): string[] {
  return lineageOf(accountsById(accounts), account).slice(1)
}

/** The accounts below one in a flat list, each after its parent, siblings in the order of the list. */
export function descendantsOf(accounts: readonly AccountNode[], account: string): string[] {
  const children = Map.groupBy(accounts, ({ parent }) => parent)
  const found = new Set<string>([account])
  for (const parent of found) for (const child of children.get(parent) ?? []) found.add(child._id)
  return [...found].slice(1)
}

function accountsById(accounts: readonly AccountNode[]): Map<string, AccountNode> {
  return new Map(accounts.map((account) => [account._id, account]))
}
