import { queryClient } from './query-client.ts'

/**
 * Loads the user, their rights here and the accounts they see again. Data of other accounts is removed: it
 * is loaded again there.
 */
export async function renewRights() {
  queryClient.removeQueries({
    queryKey: ['me'],
    type: 'inactive',
    // A caller waits for the request that is under way.
    predicate: ({ state }) => state.fetchStatus === 'idle',
  })
  await Promise.all([
    queryClient.refetchQueries({ queryKey: ['me'] }),
    queryClient.invalidateQueries({ queryKey: ['hierarchy'] }),
  ])
}
