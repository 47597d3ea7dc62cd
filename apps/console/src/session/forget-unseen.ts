import { isAllowed } from '@portcullis/contract/abilities'
import { collections } from '@portcullis/contract/collections/registry'
import type { Query, QueryClient } from '@tanstack/react-query'
import type { Session } from './session-context.tsx'

/** Queries that are not items of an account, or that are repeated anyway. */
const ownKeys = new Set<unknown>(['me', 'hierarchy', 'configuration'])

/**
 * Drops data that was read with other rights: hidden data at once, and also visible data that the user may no longer see.
 * The rest of the screen is loaded again, including data that was refused before.
 */
export function forgetUnseen(queryClient: QueryClient, { rules }: Pick<Session, 'rules'>) {
  const isLost = ({ queryKey: [kind, name] }: Query) => {
    const collection = kind === 'collection' ? Object.values(collections).find((each) => each.name === name) : undefined
    return collection !== undefined && !isAllowed(rules, { action: 'view', subject: collection.subject })
  }
  const isOfRights = ({ queryKey }: Query) => !ownKeys.has(queryKey[0])
  queryClient.removeQueries({
    type: 'inactive',
    predicate: (query) => isOfRights(query) && query.state.fetchStatus === 'idle',
  })
  void queryClient.resetQueries({ type: 'active', predicate: isLost })
  void queryClient.invalidateQueries({ type: 'active', predicate: (query) => isOfRights(query) && !isLost(query) })
}
