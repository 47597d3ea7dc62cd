import { readFile } from 'node:fs/promises'
import type { Reply } from '../control-reply.ts'

const files: Record<string, { name: string; type: string }> = {
  '/': { name: 'page.html', type: 'text/html; charset=utf-8' },
  '/page.css': { name: 'page.css', type: 'text/css; charset=utf-8' },
  '/page.mjs': { name: 'page.mjs', type: 'text/javascript; charset=utf-8' },
}

/** The empty page, its style sheet or its script; undefined for other paths. They show nothing of the units. */
export async function pageFile(path: string): Promise<Reply | undefined> {
  const file = Object.hasOwn(files, path) ? files[path] : undefined
  if (!file) return undefined
  const text = await readFile(new URL(`../../page/${file.name}`, import.meta.url), 'utf8')
  return { status: 200, type: file.type, text }
}
