import { actIn } from './account-ref.ts'
import { endActing } from './acting-inside.ts'
import { queryClient } from './query-client.ts'

/** Removes all data read in this session. */
export function forgetSession() {
  actIn(null)
  endActing()
  queryClient.clear()
}
