import { isBuiltin } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { type Workspace, workspaces } from './import-rules.ts'
import { type Module, modulesBelow } from './imports-of.ts'

/** Reads every module of our workspaces below a root and says which imports go the wrong way. */
export async function checkImports(root: string): Promise<{ modules: number; violations: string[] }> {
  let count = 0
  const violations: string[] = []
  for (const [name, workspace] of Object.entries(workspaces)) {
    const src = join(root, workspace.folder, 'src')
    const modules = await modulesBelow(src)
    if (modules.length === 0) violations.push(`${workspace.folder}/src: no module was found, so nothing is proved`)
    count += modules.length
    violations.push(...folderCycles(src, modules).map((cycle) => `${workspace.folder}/src: ${cycle}`))
    const isComposing = composingFiles(workspace, src, modules)
    for (const module of modules) {
      const from = slashed(relative(root, module.path))
      for (const specifier of module.imports) {
        const wrong =
          wrongPackage({ name, workspace, module, specifier }) ??
          wrongFolder({ workspace, src, module, specifier, isComposing })
        if (wrong !== undefined) violations.push(`${from}: '${specifier}' ${wrong}`)
      }
    }
  }
  return { modules: count, violations }
}

type PackageQuestion = { name: string; workspace: Workspace; module: Module; specifier: string }

function wrongPackage({ name, workspace, module, specifier }: PackageQuestion): string | undefined {
  if (isBuiltin(specifier)) {
    return workspace.isForBrowsers && !isTest(module.path) ? `is Node's, and ${name} also runs in browsers` : undefined
  }
  const target = /^@portcullis\/([^/]+)/.exec(specifier)?.[1]
  if (target === undefined || target === name) return undefined
  const allowed = [...workspace.mayImport, ...(isTest(module.path) ? (workspace.testsMayImport ?? []) : [])]
  return allowed.includes(target)
    ? undefined
    : `is not among what ${name} may import (${allowed.join(', ') || 'none of ours'})`
}

type FolderQuestion = { workspace: Workspace; src: string; module: Module; specifier: string; isComposing: Set<string> }

function wrongFolder(question: FolderQuestion): string | undefined {
  const { workspace, src, module, specifier } = question
  if (!specifier.startsWith('.')) return undefined
  const target = join(dirname(module.path), specifier)
  const place = relative(src, target)
  if (!place.startsWith('..')) return workspace.genericFolders && wrongOrder(question, target, workspace.genericFolders)
  return place.startsWith(join('..', 'package.json')) ? undefined : 'leaves its package: import it by name'
}

function wrongOrder(
  { workspace: { composingFolders = [] }, src, module, isComposing }: FolderQuestion,
  target: string,
  genericFolders: readonly string[],
): string | undefined {
  const own = folderOf(src, module.path)
  const other = folderOf(src, target)
  if (own === other || isComposing.has(module.path)) return undefined
  if (isComposing.has(target) || composingFolders.includes(other ?? '')) {
    return isTest(module.path) ? undefined : 'puts things together: nothing below may import it'
  }
  return own === undefined || other === undefined ? undefined : wrongEntity({ own, other, genericFolders })
}

type Folders = { own: string; other: string; genericFolders: readonly string[] }

function wrongEntity({ own, other, genericFolders }: Folders): string | undefined {
  if (genericFolders.includes(other)) return undefined
  return genericFolders.includes(own)
    ? `makes the generic folder ${own} know the entity folder ${other}`
    : `makes the entity folder ${own} know another, ${other}`
}

/** The files that may import everything: those in composing folders, and the top-level ones that import an entity folder. */
function composingFiles(workspace: Workspace, src: string, modules: Module[]): Set<string> {
  const { genericFolders = [], composingFolders = [] } = workspace
  const isEntity = (folder: string | undefined) => folder !== undefined && !genericFolders.includes(folder)
  const composing = modules.filter(({ path, imports }) => {
    const folder = folderOf(src, path)
    if (folder !== undefined) return composingFolders.includes(folder)
    return imports.some(
      (specifier) => specifier.startsWith('.') && isEntity(folderOf(src, join(dirname(path), specifier))),
    )
  })
  return new Set(composing.map(({ path }) => path))
}

/** Groups of folders directly below `src` that reach each other by imports, each with one import per pair; tests are left out. */
function folderCycles(src: string, modules: Module[]): string[] {
  const edges = new Map<string, Map<string, string>>()
  for (const { path, imports } of modules.filter((module) => !isTest(module.path))) {
    const from = folderOf(src, path)
    for (const specifier of imports.filter((name) => name.startsWith('.'))) {
      const to = folderOf(src, join(dirname(path), specifier))
      if (from === undefined || to === undefined || from === to || to === '..') continue
      const targets = edges.get(from) ?? new Map<string, string>()
      edges.set(from, targets.set(to, targets.get(to) ?? slashed(relative(src, path))))
    }
  }
  const reached = new Map([...edges.keys()].map((folder) => [folder, reachedFrom(folder, edges)]))
  const groups = [...edges.keys()]
    .map((folder) => [...edges.keys()].filter((other) => reaches(folder, other) && reaches(other, folder)).sort())
    .filter((group) => group.length > 0)
  return [...new Map(groups.map((group) => [group.join(), group])).values()].map((group) => {
    const imports = group.flatMap((from) =>
      [...(edges.get(from) ?? [])].filter(([to]) => group.includes(to)).map(([to, file]) => `${file} imports ${to}`),
    )
    return `the folders ${group.join(', ')} import each other: ${imports.join(', ')}`
  })

  function reaches(from: string, to: string) {
    return reached.get(from)?.has(to) === true
  }
}

function reachedFrom(start: string, edges: ReadonlyMap<string, ReadonlyMap<string, string>>): Set<string> {
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

/** The first folder below `src`; undefined for what lies in `src` itself. */
function folderOf(src: string, path: string): string | undefined {
  const [first, ...rest] = relative(src, path).split(sep)
  return rest.length > 0 ? first : undefined
}

/** Tests, and what only tests use: `test-server.ts`. */
function isTest(path: string): boolean {
  return /(\.test\.tsx?|[\\/]test-[^\\/]+\.ts)$/.test(path)
}

function slashed(path: string): string {
  return path.split(sep).join('/')
}

if (import.meta.main) {
  const { modules, violations } = await checkImports(join(import.meta.dirname, '..'))
  for (const violation of violations) console.error(violation)
  console.log(`${modules} modules read, ${violations.length} imports go the wrong way`)
  process.exitCode = violations.length === 0 ? 0 : 1
}
