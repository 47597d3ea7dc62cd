import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'

const worthwhileBytes = 1_024

/** Writes a `.br` and a `.gz` next to every text file of a folder, so that the server does not compress. */
export async function compressFiles(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  for (const { name, parentPath } of entries) {
    if (!/\.(js|css|svg|json)$/.test(name)) continue
    const path = join(parentPath, name)
    const content = await readFile(path)
    if (content.length < worthwhileBytes) continue
    await writeFile(`${path}.br`, await promisify(brotliCompress)(content))
    await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
  }
}
