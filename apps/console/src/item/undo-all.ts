import { client } from '../session/client.ts'
import { text } from '../text/text.ts'
import { messageOf } from '../ui/list-notice.tsx'
import { toast } from '../ui/toasts.ts'

/** Undoes the changes of these audit log entries, the last one first. */
export async function undoAll(entries: readonly string[]) {
  let done = 0
  try {
    for (const entry of entries.toReversed()) {
      await client.history.undo(entry)
      done += 1
    }
    toast({ text: text('toast.undoneAll') })
  } catch (error) {
    const reason = messageOf(error)
    const isPart = done > 0
    toast({
      tone: 'refusal',
      text: isPart
        ? text('toast.undonePart', { done, total: entries.length, reason })
        : text('toast.undoFailed', { reason }),
    })
  }
}
