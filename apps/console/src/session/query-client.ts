import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isForbidden, isRefusal, notifyForbidden } from './refusals.ts'

const queryCache = new QueryCache({
  onError(error, query) {
    if (!isForbidden(error)) return
    // Data that may no longer be seen is not shown from the cache either.
    query.setState({ data: undefined })
    notifyForbidden()
  },
})

const mutationCache = new MutationCache({
  onError(error) {
    if (isForbidden(error)) notifyForbidden()
  },
})

/** The server state of the whole console. A refused query is not repeated; after a connection failure it is, twice. */
export const queryClient = new QueryClient({
  queryCache,
  mutationCache,
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => failures < 2 && !isRefusal(error),
    },
    // Without a connection a change fails at once and says so: a delayed one would happen unnoticed.
    mutations: { retry: false, networkMode: 'always' },
  },
})
