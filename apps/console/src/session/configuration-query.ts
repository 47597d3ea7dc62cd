import { queryOptions } from '@tanstack/react-query'

/** The runtime configuration, read once at the start (specification §7). The sign-in page shows before the client has loaded. */
export const configurationQuery = queryOptions({
  queryKey: ['configuration'],
  queryFn: async () => (await import('./client.ts')).client.configuration(),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})
