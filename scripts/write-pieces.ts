import { access, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Piece } from './new-collection-pieces.ts'

/** Writes new files and inserts lines before their anchors. Writes nothing if a file already exists or an anchor is missing. */
export async function writePieces(root: string, pieces: readonly Piece[]) {
  const texts = new Map<string, string>()
  for (const { file, before, text } of pieces) {
    const path = join(root, file)
    if (before === undefined) {
      if (await exists(path)) throw new Error(`${file} already exists: choose another name, or delete it.`)
      texts.set(path, text)
      continue
    }
    const now = texts.get(path) ?? (await readFile(path, 'utf8'))
    const at = now.indexOf(before)
    if (at < 0)
      throw new Error(
        `${file}: the line ${JSON.stringify(before)} was not found. Run the command without --write and insert the lines yourself.`,
      )
    texts.set(path, `${now.slice(0, at)}${text}${now.slice(at)}`)
  }
  for (const [path, text] of texts) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
}

async function exists(path: string) {
  return access(path).then(
    () => true,
    () => false,
  )
}
