import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { findFaults, parseLock, withoutFaults } from './lock-faults.ts'

const integrity = 'sha512-3q2+7w=='
const lock = parseLock({
  lockfileVersion: 3,
  packages: {
    '': { name: 'portcullis' },
    'apps/server': { name: '@portcullis/server' },
    'node_modules/@portcullis/server': { link: true },
    'node_modules/pg': { version: '9.0.0', integrity },
    'node_modules/pg/node_modules/split2': { version: '4.0.0' },
    'node_modules/biome': { integrity, optionalDependencies: { 'biome-linux': '1.0.0', 'biome-darwin': '1.0.0' } },
    'node_modules/biome-linux': { version: '1.0.0', integrity: 'sha1-3q2+7w==' },
  },
})

test('a package without a strong integrity hash, and one that is left out, are faults', () => {
  expect(findFaults(lock)).toEqual([
    'biome-darwin is missing',
    'node_modules/pg/node_modules/split2 has no integrity hash',
    'node_modules/biome-linux has no integrity hash',
  ])
})

test('npm resolves again only the entries without a hash', () => {
  expect(Object.keys(lock.packages)).toHaveLength(7)
  expect(Object.keys(withoutFaults(lock).packages)).toEqual([
    '',
    'apps/server',
    'node_modules/@portcullis/server',
    'node_modules/pg',
    'node_modules/biome',
  ])
})

test('every entry of package-lock.json has an integrity hash', async () => {
  const text = await readFile(new URL('../package-lock.json', import.meta.url), 'utf8')
  expect(findFaults(parseLock(JSON.parse(text)))).toEqual([])
})
