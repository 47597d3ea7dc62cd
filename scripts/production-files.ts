import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, matchesGlob, relative } from 'node:path'
import { workspaces } from './import-rules.ts'
import { isTest, modulesBelow, slashed } from './imports-of.ts'

/** A file this short hides no detail from its one importer. */
const maxLinesToMerge = 15

/**
 * A production file and the production files that import it; paths from the root of the repository. `isFoundByName`: loaded
 * by a pattern, like the texts of each folder, so it must stay a separate file.
 */
export type ProductionFile = { path: string; importers: string[]; isFoundByName: boolean }

/** The production files of all workspaces: no tests, no files that only tests import. */
export async function productionFiles(root: string): Promise<ProductionFile[]> {
  const folders = Object.values(workspaces).map(({ folder }) => join(root, folder, 'src'))
  const modules = (await Promise.all(folders.map(modulesBelow))).flat()
  const importers = new Map<string, Set<string>>(modules.map(({ path }) => [path, new Set()]))
  const foundByName = new Set<string>()
  for (const { path, imports, globs } of modules) {
    for (const glob of globs.map((pattern) => join(dirname(path), pattern))) {
      for (const found of [...importers.keys()].filter((each) => each !== path && matchesGlob(each, glob))) {
        importers.get(found)?.add(path)
        foundByName.add(found)
      }
    }
    for (const specifier of imports) {
      const target = pathOf(root, { from: path, specifier })
      if (target !== path) importers.get(target ?? '')?.add(path)
    }
  }
  const testFiles = filesOfTests(importers)
  return [...importers.keys()]
    .filter((path) => !testFiles.has(path))
    .map((path) => ({
      path: below(path),
      importers: [...(importers.get(path) ?? [])].filter((other) => !testFiles.has(other)).map(below),
      isFoundByName: foundByName.has(path),
    }))

  function below(path: string) {
    return slashed(relative(root, path))
  }
}

/** The files of 15 lines or fewer with one importer and no test named after them, unless a pattern loads them. */
export async function filesToMerge(root: string): Promise<{ path: string; importer: string; lines: number }[]> {
  const candidates = (await productionFiles(root)).flatMap(
    ({ path, importers: [importer, ...further], isFoundByName }) =>
      importer === undefined || further.length > 0 || isFoundByName || hasTest(root, path) ? [] : [{ path, importer }],
  )
  const counted = await Promise.all(
    candidates.map(async (file) => ({ ...file, lines: linesIn(await readFile(join(root, file.path), 'utf8')) })),
  )
  return counted.filter(({ lines }) => lines <= maxLinesToMerge)
}

/** The file that an import loads: by relative path, or `@portcullis/{workspace}/{path}`; undefined for other packages. */
function pathOf(root: string, { from, specifier }: { from: string; specifier: string }): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(from), specifier)
  const [, name = '', path = ''] = /^@portcullis\/([^/]+)\/(.+)$/.exec(specifier) ?? []
  const workspace = workspaces[name]
  return workspace && join(root, workspace.folder, 'src', `${path}.ts`)
}

/** Tests, and files that only tests import. */
function filesOfTests(importers: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const found = new Set([...importers.keys()].filter(isTest))
  for (let before = -1; before < found.size; ) {
    before = found.size
    for (const [path, own] of importers) {
      if (own.size > 0 && [...own].every((importer) => found.has(importer))) found.add(path)
    }
  }
  return found
}

function hasTest(root: string, path: string): boolean {
  const name = join(root, path).replace(/\.[cm]?[jt]sx?$/, '')
  return existsSync(`${name}.test.ts`) || existsSync(`${name}.test.tsx`)
}

function linesIn(text: string): number {
  return text.trimEnd().split('\n').length
}
