import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { copyRepository } from './copy-repository.ts'
import type { Piece } from './new-collection-pieces.ts'
import { writePieces } from './write-pieces.ts'

/** A field of sites, as docs/guides/add-a-field-and-a-collection.md adds it. */
const field: Piece[] = [
  {
    file: 'packages/contract/src/collections/sites.ts',
    before: '      calendars: z.array(',
    text: '      reference: text(40).nullable().default(null),\n',
  },
  {
    file: 'apps/server/src/database/migrations/9998-site-reference.sql',
    text: '-- What the customer calls a site.\n\nalter table site add column site_reference text;\n',
  },
  {
    file: 'apps/console/src/sites/site-drawer.tsx',
    before: "      <LongTextField field={form.field('address')} />",
    text: "      <TextField field={form.field('reference')} />\n",
  },
  { file: 'apps/console/src/sites/sites.text.ts', before: "  address: 'Address'", text: "  reference: 'Reference',\n" },
  {
    file: 'apps/console/src/sites/sites.text.es.ts',
    before: "  address: 'Dirección'",
    text: "  reference: 'Referencia',\n",
  },
]

test('a field in 4 files and a collection in 6, each with its translation, pass the gates and the tests of all collections', async () => {
  const { folder, run } = await copyRepository()
  onTestFinished(() => rm(folder, { recursive: true }))
  await writePieces(folder, field)
  expect(new Set(field.map(({ file }) => file)).size).toBe(4 + 1)

  const printed = await run('node', 'scripts/new.ts', 'collection', 'visitorBadges', '--write')
  const written = printed.split('\n').filter((line) => /^[\w/.-]+\.(ts|tsx|sql)$/.test(line))
  expect(written.filter((file) => file !== 'docs/schema.sql')).toHaveLength(6 + 1)
  expect(written).toContain('docs/schema.sql')

  const files = [...written, ...field.map(({ file }) => file)].filter((file) => !file.endsWith('.sql'))
  await Promise.all([
    run('tsc', '-b', '--checkers', '1', 'packages/contract', 'apps/server', 'apps/console'),
    run('knip', '--no-progress', '--treat-config-hints-as-errors'),
    run('biome', 'format', ...files),
    run('node', 'scripts/check-imports.ts'),
    run('node', 'scripts/text-keys.ts'),
  ])
  await run('oxlint', '--type-aware', '--deny-warnings', ...files)
  const tests = [
    'apps/server/src/collections/every-collection.test.ts',
    'apps/console/src/text',
    'apps/console/src/form',
  ]
  await run('vitest', 'run', ...tests, '-t', 'visitorBadges|sites')
}, 900_000)
