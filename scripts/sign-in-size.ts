import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const dist = join(import.meta.dirname, '../apps/console/dist')

/** The maximum size of the sign-in page's JavaScript, gzipped (design §4). */
export const maxSignInBytes = 150_000

/** The gzipped size of the scripts that the built page names. */
export async function signInBytes(): Promise<number> {
  const page = await readFile(join(dist, 'index.html'), 'utf8')
  const scripts = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path = '']) => path)
  if (scripts.length === 0) throw new Error('The built page names no script: build the console again.')
  const sizes = await Promise.all(scripts.map(async (path) => gzipSync(await readFile(join(dist, path))).length))
  return sizes.reduce((sum, size) => sum + size, 0)
}
