import { client } from '../session/client.ts'
import { text } from '../text/text.ts'
import { messageOf } from '../ui/list-notice.tsx'
import { toast } from '../ui/toasts.ts'

/** Undoes the changes of these audit log entries, the last one first. */
export async function undoAll(entries: readonly string[]) {
  try {
    for (const entry of entries.toReversed()) await client.history.undo(entry)
    toast({ text: text('toast.undoneAll') })
  } catch (error) {
    toast({ tone: 'refusal', text: text('toast.undoFailed', { reason: messageOf(error) }) })
  }
}
