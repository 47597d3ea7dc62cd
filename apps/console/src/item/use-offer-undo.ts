import type { Collection } from '@portcullis/contract/collection'
import { useQueryClient } from '@tanstack/react-query'
import { toast } from '../ui/toasts.ts'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { collectionKey } from './keys.ts'
import { messageOf } from '../ui/list-notice.tsx'

type Change = {
  said: string
  name: string
  /** The entry of the audit log that tells of the change; without one it can't be taken back. */
  entry: string | undefined
}

/** Says what was changed, and offers to take it back: `offerUndo({ said: text('toast.saved', { name }), name, entry })`. */
export function useOfferUndo(of: Collection) {
  const { ref } = useAccount()
  const queryClient = useQueryClient()

  async function undo(entry: string, name: string) {
    const endUndoing = toast({ text: text('toast.undoing') })
    try {
      const { item, notRestored } = await client.history.undo(entry)
      const said = text(item === null ? 'toast.undoneGone' : 'toast.undone', { name })
      toast({
        text: notRestored.length === 0 ? said : text('toast.notRestored', { fields: notRestored.join(', ') }),
      })
    } catch (error) {
      toast({ tone: 'refusal', text: text('toast.undoFailed', { reason: messageOf(error) }) })
    } finally {
      endUndoing()
      await queryClient.invalidateQueries({ queryKey: collectionKey(of, ref) })
    }
  }

  return ({ said, name, entry }: Change) => {
    const action = entry && { label: text('toast.undo'), run: () => void undo(entry, name) }
    toast({ text: said, ...(action ? { action } : {}) })
  }
}
