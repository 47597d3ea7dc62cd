import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'

/** `globs`: the patterns by which it loads files that it does not name, by `import.meta.glob`. */
export type Module = { path: string; imports: string[]; globs: string[] }

/** All modules below a folder, by path, with the specifiers of their imports of any kind. */
export async function modulesBelow(folder: string): Promise<Module[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const paths = entries
    .filter((entry) => entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  return Promise.all(
    paths.map(async (path) => {
      const source = await readFile(path, 'utf8')
      return { path, imports: importsOf(source), globs: globsOf(source) }
    }),
  )
}

/** `import x from 'a'`, `export * from 'a'`, over several lines; `import 'a'`; `import('a')`; `import.meta.resolve('a')`. */
function importsOf(source: string): string[] {
  const statement = /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/gm
  const bare = /^\s*import\s*['"]([^'"]+)['"]/gm
  const call = /\b(?:import|import\.meta\.resolve|vi\.mock)\s*\(\s*['"]([^'"]+)['"]/g
  return [statement, bare, call].flatMap((form) => [...source.matchAll(form)].map((match) => match[1] ?? ''))
}

function globsOf(source: string): string[] {
  return [...source.matchAll(/\bimport\.meta\.glob[^('"]*\(\s*['"]([^'"]+)['"]/g)].map((match) => match[1] ?? '')
}

/** Tests, and modules for tests only: `test-server.ts`. */
export function isTest(path: string): boolean {
  return /(\.test\.tsx?|[\\/]test-[^\\/]+\.tsx?)$/.test(path)
}

export function slashed(path: string): string {
  return path.split(sep).join('/')
}
