import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import * as z from 'zod'
import { type Component, findAffected, readAdvisories } from './advisories.ts'

/**
 * Writes a bill of materials of all packages in the lock file, in the CycloneDX format. Checks them for the advisories of
 * the registry, or of a file in the OSV format. Exits with 1 if an advisory names a package, with 2 if there are no
 * advisories.
 */
const { values } = parseArgs({
  options: { out: { type: 'string', default: 'sbom.cdx.json' }, advisories: { type: 'string' } },
})
const root = join(import.meta.dirname, '..')

const property = z.looseObject({ name: z.string(), value: z.string() })
const component = z.looseObject({
  purl: z.string(),
  version: z.string(),
  properties: z.array(property).default([]),
})
const bill = z.looseObject({ components: z.array(component) })

const written = npm(['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'])
const { components } = bill.parse(written)
await writeFile(values.out, `${JSON.stringify(written, null, 2)}\n`)
const packages = components.map(packageOf)
const development = packages.filter(({ isDevelopment }) => isDevelopment).length
console.log(`${values.out}: ${packages.length} packages, ${development} of them for development only`)

if (values.advisories === undefined) checkRegistry()
else await checkFile(values.advisories)

async function checkFile(file: string) {
  const advisories = readAdvisories(JSON.parse(await readFile(file, 'utf8')))
  const affected = findAffected(packages, advisories)
  for (const {
    component: { name, version },
    advisory,
  } of affected) {
    console.error(`${name} ${version}: ${advisory.id} ${advisory.summary ?? ''}`.trimEnd())
  }
  console.log(`${affected.length} findings in ${advisories.length} advisories of ${file}`)
  process.exitCode = affected.length === 0 ? 0 : 1
}

function checkRegistry() {
  const found = z
    .looseObject({ vulnerabilities: z.record(z.string(), z.looseObject({ severity: z.string(), range: z.string() })) })
    .safeParse(npm(['audit', '--json', '--package-lock-only']))
  if (!found.success) {
    console.error('The packages were not checked: the registry returned no advisories.')
    console.error('Check them with a file in the OSV format: npm run sbom -- --advisories FILE')
    process.exitCode = 2
    return
  }
  const vulnerable = Object.entries(found.data.vulnerabilities)
  for (const [name, { severity, range }] of vulnerable) console.error(`${name} ${range}: ${severity}`)
  console.log(`${vulnerable.length} findings in the advisories of the registry`)
  process.exitCode = vulnerable.length === 0 ? 0 : 1
}

/** The JSON that npm prints, whatever its exit code; undefined if it prints none. */
function npm(args: string[]): unknown {
  const settings = {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32',
  } as const
  const { stdout, error } = spawnSync('npm', args, settings)
  if (error) throw new Error(`npm ${args.join(' ')} could not be run: check that npm is installed`, { cause: error })
  try {
    return JSON.parse(stdout)
  } catch {
    return undefined
  }
}

function packageOf({ purl, version, properties }: z.output<typeof component>): Component {
  const name = decodeURIComponent(
    purl
      .replace(/^pkg:npm\//, '')
      .replace(/[?#].*$/, '')
      .replace(/@[^@]*$/, ''),
  )
  const isDevelopment = properties.some((each) => each.name === 'cdx:npm:package:development' && each.value === 'true')
  return { name, version, isDevelopment }
}
