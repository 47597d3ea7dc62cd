import { actIn } from './account-ref.ts'
import { endActing } from './acting-inside.ts'
import { queryClient } from './query-client.ts'

/** Forgets everything that was read as this person. */
export function forgetSession() {
  actIn(null)
  endActing()
  queryClient.clear()
}
