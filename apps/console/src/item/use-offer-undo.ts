import type { Collection } from '@portcullis/contract/collection'
import { useQueryClient } from '@tanstack/react-query'
import { type Toast, toast } from '../ui/toasts.ts'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { collectionKey } from './keys.ts'
import { messageOf } from '../ui/list-notice.tsx'
import { listOf } from '../text/catalogue.ts'

type Change = {
  message: string
  tone?: Toast['tone']
  name: string
  /** The audit log entry of the change; without it, the change cannot be undone. */
  entry: string | undefined
}

/** Reports a change, and offers to undo it: `offerUndo({ message: text('toast.saved', { name }), name, entry })`. */
export function useOfferUndo(of: Collection) {
  const { ref } = useAccount()
  const queryClient = useQueryClient()

  async function undo(entry: string, name: string) {
    const endUndoing = toast({ text: text('toast.undoing') })
    try {
      const { item, notRestored } = await client.history.undo(entry)
      const message = text(item === null ? 'toast.undoneGone' : 'toast.undone', { name })
      toast({
        text: notRestored.length === 0 ? message : text('toast.notRestored', { fields: listOf(notRestored) }),
      })
    } catch (error) {
      toast({ tone: 'refusal', text: text('toast.undoFailed', { reason: messageOf(error) }) })
    } finally {
      endUndoing()
      await queryClient.invalidateQueries({ queryKey: collectionKey(of, ref) })
    }
  }

  return ({ message, tone = 'plain', name, entry }: Change) => {
    const action = entry && { label: text('toast.undo'), run: () => void undo(entry, name) }
    toast({ tone, text: message, ...(action ? { action } : {}) })
  }
}
