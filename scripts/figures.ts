import { join } from 'node:path'
import { definitions, writtenCallPaths } from './call-paths.ts'
import { folderCycles } from './folder-cycles.ts'
import { workspaces } from './import-rules.ts'
import { modulesBelow } from './imports-of.ts'
import { filesToMerge, productionFiles } from './production-files.ts'

const root = join(import.meta.dirname, '..')

const files = await productionFiles(root)
const withOneImporter = files.filter(({ importers }) => importers.length === 1)
const foundByName = withOneImporter.filter(({ isFoundByName }) => isFoundByName)
const cycles = (
  await Promise.all(Object.values(workspaces).map(({ folder }) => cyclesBelow(join(root, folder, 'src'))))
).flat()
const paths = await writtenCallPaths(root)

console.log(`production files: ${files.length}`)
console.log(`with one importer: ${withOneImporter.length} (${shareOf(withOneImporter)})`)
console.log(`of these, found by their name: ${foundByName.length} (${shareOf(foundByName)})`)
console.log(`of 15 lines or fewer with one importer and no test: ${(await filesToMerge(root)).length}`)
console.log(`cycles of folders directly below src: ${cycles.filter(({ depth }) => depth === 1).length}`)
console.log(`cycles of folders deeper down: ${cycles.filter(({ depth }) => depth > 1).length}`)
console.log(
  `paths of calls written outside their definition: ${paths.filter((place) => !place.startsWith(definitions)).length}`,
)

function shareOf(some: readonly unknown[]) {
  return `${((100 * some.length) / files.length).toFixed(1)} %`
}

async function cyclesBelow(src: string) {
  return folderCycles(src, await modulesBelow(src))
}
