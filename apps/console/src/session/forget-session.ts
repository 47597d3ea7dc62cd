import { actIn } from './account-ref.ts'
import { queryClient } from './query-client.ts'

/** Forgets everything that was read as this person. */
export function forgetSession() {
  actIn(null)
  queryClient.clear()
}
