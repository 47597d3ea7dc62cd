import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** How long another process that is just ending may take. */
const waitMs = 2_000
/** No serial number contains a tilde, so that no controller's folder has this name. */
const lockFile = 'folder~lock'
/** SQLITE_BUSY: another process has the lock. */
const busy = 5

/**
 * Locks a folder for this process, with the lock of an empty SQLite file: the system releases it when the process ends,
 * even after a kill. Returns undefined if another process has it.
 */
export function lockFolder(dir: string) {
  const file = new DatabaseSync(join(dir, lockFile), { timeout: waitMs })
  try {
    // Without a journal beside the file, which a killed process would leave.
    file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return { release: () => file.close() }
  } catch (error) {
    file.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === busy) return undefined
    throw error
  }
}
