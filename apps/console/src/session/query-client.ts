import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isForbidden, isRefusal, tellForbidden } from './refusals.ts'

const queryCache = new QueryCache({
  onError(error, query) {
    if (!isForbidden(error)) return
    // What may no longer be seen is not shown from the cache either.
    query.setState({ data: undefined })
    tellForbidden()
  },
})

const mutationCache = new MutationCache({
  onError(error) {
    if (isForbidden(error)) tellForbidden()
  },
})

/** Server state of the whole console. What the server refused is not asked again; what could not be reached is, twice. */
export const queryClient = new QueryClient({
  queryCache,
  mutationCache,
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => failures < 2 && !isRefusal(error),
    },
    // Without a connection a change fails at once and says so: one that waits would happen when nobody looks any more.
    mutations: { retry: false, networkMode: 'always' },
  },
})
