import { assumptionMaxMinutes } from '@portcullis/contract/calls/assume-account'
import { toast } from '../ui/toasts.ts'
import { text } from '../text/text.ts'
import { endActing } from '../session/acting-inside.ts'
import { client } from '../session/client.ts'
import { meQuery } from '../session/me-query.ts'
import { queryClient } from '../session/query-client.ts'

/** Acts inside the account no longer, tells the server and the person so, and answers where they stand. */
export function leaveActing() {
  const ended = endActing()
  if (!ended) return undefined
  const { ref, name, from, over } = ended
  // Where the server does not hear of it, it ends with the session or its hour.
  void client.accounts.endAssumption(ref, { from }).catch(() => undefined)
  queryClient.removeQueries({ queryKey: meQuery(ref).queryKey })
  toast({ text: text(`acting.${over}`, { name, minutes: assumptionMaxMinutes }) })
  return ended
}
