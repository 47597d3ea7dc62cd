import { queryClient } from './query-client.ts'

/**
 * Asks again who one is, what one may do here, and which accounts one sees. What is known of other accounts is forgotten: there
 * it is asked for again.
 */
export async function renewRights() {
  queryClient.removeQueries({
    queryKey: ['me'],
    type: 'inactive',
    // Somebody waits for what is on its way.
    predicate: ({ state }) => state.fetchStatus === 'idle',
  })
  await Promise.all([
    queryClient.refetchQueries({ queryKey: ['me'] }),
    queryClient.invalidateQueries({ queryKey: ['hierarchy'] }),
  ])
}
