import { isAllowed } from '@portcullis/contract/abilities'
import { collections } from '@portcullis/contract/collections/registry'
import type { Query, QueryClient } from '@tanstack/react-query'
import type { Session } from './session-context.tsx'

/** What is no item of an account, or is asked for again by itself. */
const kept = new Set<unknown>(['me', 'hierarchy', 'configuration'])

/**
 * Lets go of what was read with other rights: what is not on the screen at once, and so what is there and may not be seen any
 * more; the rest of the screen is asked for again, what was refused before as well.
 */
export function forgetUnseen(queryClient: QueryClient, { rules }: Pick<Session, 'rules'>) {
  const isLost = ({ queryKey: [kind, name] }: Query) => {
    const collection = kind === 'collection' ? Object.values(collections).find((each) => each.name === name) : undefined
    return collection !== undefined && !isAllowed(rules, { action: 'view', subject: collection.subject })
  }
  const isOfRights = ({ queryKey }: Query) => !kept.has(queryKey[0])
  queryClient.removeQueries({
    type: 'inactive',
    predicate: (query) => isOfRights(query) && query.state.fetchStatus === 'idle',
  })
  void queryClient.resetQueries({ type: 'active', predicate: isLost })
  void queryClient.invalidateQueries({ type: 'active', predicate: (query) => isOfRights(query) && !isLost(query) })
}
