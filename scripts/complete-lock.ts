import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'

/**
 * npm leaves out of the lock file what its registry could not deliver for other platforms, and `npm ci` then refuses the
 * lock file on every one. This adds those packages, whose names say their platform, by the version that is asked for.
 * With the argument `check` it only lists the missing entries.
 */
const file = join(import.meta.dirname, '../package-lock.json')
const entry = z.looseObject({
  optionalDependencies: z.record(z.string(), z.string()).optional(),
  license: z.string().optional(),
})
const text = await readFile(file, 'utf8')
// What is written back is what was read, in npm's own order.
const { packages, ...head } = z.looseObject({ packages: z.record(z.string(), z.unknown()) }).parse(JSON.parse(text))
const known = z.record(z.string(), entry).parse(packages)

const missing = Object.entries(known).flatMap(([path, { optionalDependencies = {}, license }]) =>
  Object.entries(optionalDependencies)
    .filter(([name]) => !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages))
    .map(([name, version]) => ({ name, version, license })),
)

if (process.argv[2] === 'check') {
  for (const { name } of missing) console.error(`${name} is missing from package-lock.json: run npm run complete-lock`)
  process.exitCode = missing.length === 0 ? 0 : 1
} else if (missing.length === 0) {
  console.log('Nothing is missing')
} else {
  for (const { name, version, license } of missing) {
    packages[`node_modules/${name}`] = { version, license, optional: true, ...platformOf(name) }
  }
  const sorted = Object.entries(packages).sort(([one], [other]) => one.localeCompare(other, 'en'))
  await writeFile(file, `${JSON.stringify({ ...head, packages: Object.fromEntries(sorted) }, null, 2)}\n`)
  console.log(`${missing.length} packages added`)
}

function platformOf(name: string): { os: string[]; cpu: string[]; libc?: string[] } {
  const [, os, cpu, abi = ''] =
    /(\w+)-(\w+?)(?:-(\w+))?$/.exec(name.replace(/^.*[/]/, '').replace(/^(cli|binding|typescript)-/, '')) ?? []
  if (os === undefined || cpu === undefined) throw new Error(`${name} does not say its platform`)
  const platform = { os: [os], cpu: [cpu] }
  if (abi.includes('musl')) return { ...platform, libc: ['musl'] }
  return abi.includes('gnu') ? { ...platform, libc: ['glibc'] } : platform
}
