import { isBuiltin } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { folderCycles } from './folder-cycles.ts'
import { type Workspace, workspaces } from './import-rules.ts'
import { isTest, type Module, modulesBelow, slashed } from './imports-of.ts'
import { filesToMerge } from './production-files.ts'

/** Reads all modules of the workspaces below a root, and returns the imports and the cycles of folders that break the rules. */
export async function checkImports(root: string): Promise<{ modules: number; violations: string[] }> {
  let count = 0
  const violations: string[] = []
  for (const [name, workspace] of Object.entries(workspaces)) {
    const src = join(root, workspace.folder, 'src')
    const modules = await modulesBelow(src)
    if (modules.length === 0) violations.push(`${workspace.folder}/src: no module was found, so nothing is proved`)
    count += modules.length
    violations.push(...folderCycles(src, modules).map(({ message }) => `${workspace.folder}/src: ${message}`))
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

/** One line for each file that is too short to stand alone, with the file to merge it into. */
export async function checkShortFiles(root: string): Promise<string[]> {
  return (await filesToMerge(root)).map(
    ({ path, importer, lines }) => `${path}: ${lines} lines, one importer and no test: merge it into ${importer}`,
  )
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

/** The files that may import everything: files in composing folders, and top-level files that import an entity folder. */
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

/** The first folder below `src`; undefined for files in `src` itself. */
function folderOf(src: string, path: string): string | undefined {
  const [first, ...rest] = relative(src, path).split(sep)
  return rest.length > 0 ? first : undefined
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const { modules, violations } = await checkImports(root)
  const shortFiles = await checkShortFiles(root)
  for (const line of [...violations, ...shortFiles]) console.error(line)
  console.log(
    `${modules} modules read, ${violations.length} wrong imports or cycles, ${shortFiles.length} files to merge`,
  )
  process.exitCode = violations.length + shortFiles.length === 0 ? 0 : 1
}
