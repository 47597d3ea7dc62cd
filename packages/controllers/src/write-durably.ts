import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** A disk that a test or a demonstration can break. */
export type Disk = {
  /** Throws if the disk refuses to write. */
  beforeWrite?: () => void
}

/** Replaces a file: after a power cut at any moment it holds the old bytes or the new ones, never a part. */
export async function writeDurably(path: string, bytes: string | Uint8Array) {
  const staged = `${path}.staged`
  const file = await open(staged, 'w', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(staged, path)
  await syncFolder(dirname(path))
}

/** A rename is durable only when the folder that holds the name is. */
async function syncFolder(path: string) {
  // Windows cannot sync folders; its file system journals names by itself.
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
