import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { z } from 'zod'

/**
 * The packages whose undocumented parts send-batch.ts and database.ts rely on. After changing one, read its
 * changes to client.js, connection.js and the serializer, run the tests of this folder, and write the new version here.
 */
const provenVersions = { pg: '8.23.1', 'pg-pool': '3.14.0', 'pg-protocol': '1.16.1', 'pg-types': '2.2.0' }

test('the installed packages have the versions that this contract was tested with', async () => {
  const fromPg = createRequire(createRequire(import.meta.url).resolve('pg'))
  const installed = Object.keys(provenVersions).map(async (name) => [name, await versionOf(name, fromPg.resolve(name))])
  expect(
    Object.fromEntries(await Promise.all(installed)),
    'pg has changed: send-batch.ts relies on its undocumented parts. See provenVersions in driver-contract/versions.test.ts.',
  ).toEqual(provenVersions)
})

test('every workspace that uses pg requires that exact version', async () => {
  const versions = z.record(z.string(), z.string()).optional()
  const manifest = z.object({ dependencies: versions, devDependencies: versions })
  const root = new URL('../../../../../', import.meta.url)
  const required: Record<string, string> = {}
  for (const path of [
    ...globSync('{apps,packages}/*/package.json', { cwd: root }),
    'bench/package.json',
    'e2e/package.json',
  ]) {
    const { dependencies, devDependencies } = manifest.parse(JSON.parse(await readFile(new URL(path, root), 'utf8')))
    const version = { ...dependencies, ...devDependencies }['pg']
    if (version !== undefined) required[path] = version
  }
  expect(Object.keys(required)).toContain('apps/server/package.json')
  expect(new Set(Object.values(required)), JSON.stringify(required)).toEqual(new Set([provenVersions.pg]))
})

/** The version of an installed package, whose `package.json` need not be exported. */
async function versionOf(name: string, entry: string) {
  const folder = entry.slice(0, entry.lastIndexOf(`/node_modules/${name}/`) + `/node_modules/${name}/`.length)
  return z.object({ version: z.string() }).parse(JSON.parse(await readFile(`${folder}package.json`, 'utf8'))).version
}
