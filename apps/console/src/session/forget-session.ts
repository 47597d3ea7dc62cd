import { actIn } from './account-ref.ts'
import { endActing } from './acting-inside.ts'
import { configurationQuery } from './configuration-query.ts'
import { queryClient } from './query-client.ts'

const [configurationKey] = configurationQuery.queryKey

/** Removes all data read in this session; the configuration belongs to none. */
export function forgetSession() {
  actIn(null)
  endActing()
  queryClient.removeQueries({ predicate: ({ queryKey: [kind] }) => kind !== configurationKey })
  queryClient.getMutationCache().clear()
}
