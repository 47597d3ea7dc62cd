import { dirname, join, relative, sep } from 'node:path'
import { isTest, type Module, slashed } from './imports-of.ts'

/** For each folder, its imported folders, each with one importing file. */
type Edges = ReadonlyMap<string, ReadonlyMap<string, string>>

/**
 * Groups of folders that import each other, with one import per pair, for the folders directly below `src` and those in each
 * folder below it. Below the first level, the files of a folder count as one of its folders. Tests are left out.
 */
export function folderCycles(src: string, modules: Module[]): { depth: number; message: string }[] {
  const edgesByFolder = new Map<string, Map<string, Map<string, string>>>()
  for (const { path, imports } of modules.filter((module) => !isTest(module.path))) {
    for (const specifier of imports.filter((name) => name.startsWith('.'))) {
      const pair = placesOf(partsOf(src, path), partsOf(src, join(dirname(path), specifier)))
      if (!pair) continue
      const edges = edgesByFolder.get(pair.folder) ?? new Map<string, Map<string, string>>()
      const targets = edges.get(pair.from) ?? new Map<string, string>()
      targets.set(pair.to, targets.get(pair.to) ?? slashed(relative(src, path)))
      edgesByFolder.set(pair.folder, edges.set(pair.from, targets))
    }
  }
  return [...edgesByFolder].flatMap(([folder, edges]) =>
    groupsOf(edges).map((group) => ({
      depth: folder === '' ? 1 : folder.split('/').length + 1,
      message: wordsOf(group, edges),
    })),
  )
}

function partsOf(src: string, path: string): string[] {
  return relative(src, dirname(path)).split(sep).filter(Boolean)
}

/** The deepest folder that contains both, and their two places in it; undefined for two files of one folder or of `src`. */
function placesOf(from: string[], to: string[]): { folder: string; from: string; to: string } | undefined {
  if (to[0] === '..' || from.length === 0 || to.length === 0) return undefined
  let shared = 0
  while (shared < from.length && from[shared] === to[shared]) shared += 1
  if (shared === from.length && shared === to.length) return undefined
  const [folder, ...places] = [from.slice(0, shared), from.slice(0, shared + 1), to.slice(0, shared + 1)]
  return { folder: folder.join('/'), from: places[0]?.join('/') ?? '', to: places[1]?.join('/') ?? '' }
}

function groupsOf(edges: Edges): string[][] {
  const reached = new Map([...edges.keys()].map((folder) => [folder, reachedFrom(folder, edges)]))
  const groups = [...edges.keys()]
    .map((folder) => [...edges.keys()].filter((other) => reaches(folder, other) && reaches(other, folder)).sort())
    .filter((group) => group.length > 0)
  return [...new Map(groups.map((group) => [group.join(), group])).values()]

  function reaches(from: string, to: string) {
    return reached.get(from)?.has(to) === true
  }
}

function reachedFrom(start: string, edges: Edges): Set<string> {
  const seen = new Set<string>()
  const open = [start]
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const next of edges.get(folder)?.keys() ?? []) {
      if (seen.has(next)) continue
      seen.add(next)
      open.push(next)
    }
  }
  return seen
}

function wordsOf(group: string[], edges: Edges): string {
  const imports = group.flatMap((from) =>
    [...(edges.get(from) ?? [])].filter(([to]) => group.includes(to)).map(([to, file]) => `${file} imports ${to}`),
  )
  return `the folders ${group.join(', ')} import each other: ${imports.join(', ')}`
}
