import type { JournalEntry } from '@portcullis/controllers/virtual-unit'
import { z } from 'zod'

const commandRecord = z.object({ body: z.object({ what: z.literal('unlocked_once'), command: z.uuid() }) })

/** What the units have written to their disks, and what was acknowledged to them, as seen from outside. */
export class ObservedRecords {
  /** Keys of records that are certain to survive. */
  readonly durable = new Set<string>()
  /** By log: the highest acknowledged sequence. */
  readonly acknowledged = new Map<string, number>()
  /** By command: when it opened a door. */
  readonly ran = new Map<string, number[]>()

  note({ what, logId, seq }: JournalEntry) {
    if (what === 'durable') this.durable.add(`${logId} ${seq}`)
    else this.acknowledged.set(logId, Math.max(this.acknowledged.get(logId) ?? 0, seq))
  }

  /** Reads lines of a log that were just synced. */
  noteSynced(path: string, bytes: Buffer) {
    if (!path.endsWith('.log')) return
    for (const line of bytes.toString().split('\n')) {
      if (!line.includes('unlocked_once')) continue
      const { body } = commandRecord.parse(JSON.parse(line.slice(9)))
      this.ran.set(body.command, [...(this.ran.get(body.command) ?? []), Date.now()])
    }
  }
}
