import { rules } from '@portcullis/contract/collections/rules'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { listsKey } from '../item/keys.ts'
import { undoAll } from '../item/undo-all.ts'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { lookAtClock } from '../time/use-minute.ts'
import { toast } from '../ui/toasts.ts'

/** Invites a guest, and offers to undo the user, the rule and the credentials together. */
export function useInvite() {
  const { ref } = useAccount()
  const queryClient = useQueryClient()
  const readAgain = () => queryClient.invalidateQueries({ queryKey: listsKey(rules, ref) })
  return useMutation({
    mutationFn: client.rules.inviteGuest,
    onSuccess: ({ entries }, { name }) => {
      lookAtClock()
      const undo = () => void undoAll(entries).then(readAgain)
      toast({ text: text('toast.added', { name }), action: { label: text('toast.undo'), run: undo } })
      return readAgain()
    },
  })
}
