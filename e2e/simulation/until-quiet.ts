import { areFilesInUse } from './simulated-disk.ts'

/** A message on a socket of this machine arrives one turn after it was sent, and may cause another. */
const quietTurns = 3
const idle = new Set(['TCPServerWrap', 'TCPSocketWrap', 'PipeWrap', 'TTYWrap', 'ProcessWrap', 'SignalWrap', 'Timeout'])

/**
 * Waits until the process has nothing to do but wait for time: no file is written, no promise settles, no answer is due.
 * `answered` resolves when an awaited answer has come; undefined if none is awaited.
 */
export async function untilQuiet(answered: () => Promise<void> | undefined) {
  for (let turns = 0; turns < quietTurns; ) {
    await new Promise((resolve) => setImmediate(resolve))
    const answer = answered()
    const isWorking =
      answer !== undefined ||
      areFilesInUse() ||
      process.getActiveResourcesInfo().some((resource) => !idle.has(resource))
    // Turning meanwhile would take the processor from the database.
    await answer
    turns = isWorking ? 0 : turns + 1
  }
}
