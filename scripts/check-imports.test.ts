import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkImports, checkShortFiles } from './check-imports.ts'

const soundTree = {
  'packages/domain/src/decide.ts': `export const decide = 1`,
  'packages/contract/src/sites.ts': `import { decide } from '@portcullis/domain/decide'`,
  'packages/controllers/src/virtual.ts': `import {\n  sites,\n} from '@portcullis/contract/sites'`,
  'packages/client/src/client.ts': `import type { Site } from '@portcullis/contract/sites'`,
  'apps/console/src/app.tsx': `import './routes/all.tsx'`,
  'apps/console/src/routes/all.tsx': `import '../sites/list.tsx'\nimport '../doors/list.tsx'`,
  'apps/console/src/sites/list.tsx': `import { Table } from '../list/table.tsx'`,
  'apps/console/src/doors/list.tsx': `export const list = 1`,
  'apps/console/src/list/table.tsx': `import { client } from '@portcullis/client/client'`,
  'apps/server/src/main.ts': `import { sites } from './sites/sites.ts'`,
  'apps/server/src/config-error.ts': `export class ConfigError extends Error {}`,
  'apps/server/src/sites/sites.ts': `import fs from 'node:fs'\nimport { list } from '../collections/list.ts'`,
  'apps/server/src/sites/sites.test.ts': `import { client } from '@portcullis/client/client'`,
  'apps/server/src/doors/doors.ts': `import { ConfigError } from '../config-error.ts'`,
  'apps/server/src/collections/list.ts': `import { feed } from '../changes/feed.ts'`,
  'apps/server/src/changes/feed.ts': `export const feed = 1`,
  'apps/demonstration/src/main.ts': `import { feed } from '@portcullis/server/changes/feed'`,
}

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'portcullis-imports-'))
  for (const [path, source] of Object.entries(soundTree)) await plant(path, source)
})

afterEach(() => rm(root, { recursive: true }))

async function plant(path: string, source: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), source)
}

test('a sound tree passes, and every one of its modules was read', async () => {
  expect(await checkImports(root)).toEqual({ modules: Object.keys(soundTree).length, violations: [] })
})

test.for([
  ['packages/domain/src/a.ts', `import { x } from '@portcullis/contract/sites'`],
  ['packages/domain/src/b.ts', `import { readFile } from 'node:fs/promises'`],
  ['packages/domain/src/c.ts', `import { x } from '../../contract/src/sites.ts'`],
  ['packages/contract/src/a.ts', `export * from '@portcullis/controllers/virtual'`],
  ['packages/controllers/src/a.ts', `import '@portcullis/client/client'`],
  ['packages/client/src/a.ts', `const x = await import('@portcullis/domain/decide')`],
  ['apps/console/src/sites/a.tsx', `import { x } from '@portcullis/controllers/virtual'`],
  ['apps/console/src/sites/b.tsx', `import {\n  list,\n} from '../doors/list.tsx'`],
  ['apps/console/src/list/a.tsx', `import { list } from '../sites/list.tsx'`],
  ['apps/console/src/why/a.tsx', `import { all } from '../routes/all.tsx'`],
  ['apps/server/src/sites/a.ts', `import { client } from '@portcullis/client/client'`],
  ['apps/server/src/sites/b.ts', `import type { Door } from '../doors/doors.ts'`],
  ['apps/server/src/sites/b.test.ts', `import { doors } from '../doors/doors.ts'`],
  ['apps/server/src/collections/a.ts', `import { sites } from '../sites/sites.ts'`],
  ['apps/server/src/rooms/a.ts', `import { main } from '../main.ts'`],
  ['apps/server/src/rooms/b.ts', `import { seed } from '../demo/seed.ts'`],
  ['apps/server/src/rooms/c.ts', `import { main } from '@portcullis/demonstration/main'`],
] as const)('caught: %s with %s', async ([path, source]) => {
  await plant(path, source)
  const { violations } = await checkImports(root)
  expect(violations.filter((violation) => violation.startsWith(path))).toHaveLength(1)
})

test('folders that import each other are caught, also by way of a third', async () => {
  await plant('packages/domain/src/decision/decide.ts', `import { zone } from '../time/zone.ts'`)
  await plant('packages/domain/src/time/zone.ts', `import type { Config } from '../configuration/config.ts'`)
  await plant('packages/domain/src/configuration/config.ts', `import { decide } from '../decision/decide.ts'`)
  expect((await checkImports(root)).violations).toEqual([
    'packages/domain/src: the folders configuration, decision, time import each other: ' +
      'configuration/config.ts imports decision, decision/decide.ts imports time, time/zone.ts imports configuration',
  ])
})

test('folders inside a folder that import each other are caught', async () => {
  await plant('apps/console/src/list/filters/filter.ts', `import { view } from '../views/view.ts'`)
  await plant('apps/console/src/list/views/view.ts', `import type { Filter } from '../filters/filter.ts'`)
  expect((await checkImports(root)).violations).toEqual([
    'apps/console/src: the folders list/filters, list/views import each other: ' +
      'list/filters/filter.ts imports list/views, list/views/view.ts imports list/filters',
  ])
})

test('a folder and one inside it that import each other are caught, at any depth', async () => {
  await plant('apps/console/src/list/views/saved/saved.ts', `import { view } from '../view.ts'`)
  await plant('apps/console/src/list/views/view.ts', `import type { Saved } from './saved/saved.ts'`)
  expect((await checkImports(root)).violations).toEqual([
    'apps/console/src: the folders list/views, list/views/saved import each other: ' +
      'list/views/view.ts imports list/views/saved, list/views/saved/saved.ts imports list/views',
  ])
})

test('a folder may use the folders inside it', async () => {
  await plant('apps/console/src/list/views/view.ts', `export const view = 1`)
  await plant('apps/console/src/list/pages.tsx', `import { view } from './views/view.ts'`)
  expect((await checkImports(root)).violations).toEqual([])
})

test('a test may close a cycle of folders', async () => {
  await plant('packages/domain/src/decision/decide.ts', `import { zone } from '../time/zone.ts'`)
  await plant('packages/domain/src/time/zone.test.ts', `import { decide } from '../decision/decide.ts'`)
  expect((await checkImports(root)).violations).toEqual([])
})

test('a checker that finds no modules fails', async () => {
  await rm(join(root, 'packages/domain'), { recursive: true })
  expect((await checkImports(root)).violations).toEqual([
    'packages/domain/src: no module was found, so nothing is proved',
  ])
})

const shortFile = 'apps/server/src/rooms/short.ts'
const merge = `${shortFile}: 1 lines, one importer and no test: merge it into apps/server/src/rooms/rooms.ts`

test.for([
  ['a short file with one importer is caught', {}, [merge]],
  ['and so is one that is loaded lazily', { 'rooms.ts': `const short = await import('./short.ts')` }, [merge]],
  ['a pattern that finds it keeps it', { 'rooms.ts': `const all = import.meta.glob('./s*.ts')` }, []],
  ['a second importer keeps it', { 'second.ts': `import './short.ts'` }, []],
  ['a test of its own keeps it', { 'short.test.ts': `import './short.ts'` }, []],
  ['the test of another file does not', { 'rooms.test.ts': `import './short.ts'` }, [merge]],
  ['more than 15 lines keep it', { 'short.ts': '// a line\n'.repeat(16) }, []],
  ['an entry point is kept', { 'rooms.ts': '' }, []],
] as const)('short files: %s', async ([, files, expected]) => {
  await plant(shortFile, `export const short = 1`)
  await plant('apps/server/src/rooms/rooms.ts', `import { short } from './short.ts'`)
  for (const [name, source] of Object.entries(files)) await plant(`apps/server/src/rooms/${name}`, source)
  expect((await checkShortFiles(root)).filter((line) => line.startsWith(shortFile))).toEqual(expected)
})
