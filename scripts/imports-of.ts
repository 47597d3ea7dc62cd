import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export type Module = { path: string; imports: string[] }

/** Every module below a folder, by its path, with what it imports in any of the ways to import. */
export async function modulesBelow(folder: string): Promise<Module[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const paths = entries
    .filter((entry) => entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  return Promise.all(paths.map(async (path) => ({ path, imports: importsOf(await readFile(path, 'utf8')) })))
}

/** `import x from 'a'`, `export * from 'a'`, over several lines; `import 'a'`; `import('a')`; `import.meta.resolve('a')`. */
function importsOf(source: string): string[] {
  const statement = /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/gm
  const bare = /^\s*import\s*['"]([^'"]+)['"]/gm
  const call = /\b(?:import|import\.meta\.resolve|vi\.mock)\s*\(\s*['"]([^'"]+)['"]/g
  return [statement, bare, call].flatMap((form) => [...source.matchAll(form)].map((match) => match[1] ?? ''))
}
