import { spawnSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Piece, piecesOf } from './new-collection-pieces.ts'
import { namesOf } from './new-collection-names.ts'
import { writePieces } from './write-pieces.ts'

const root = join(import.meta.dirname, '..')
const usage =
  'npm run new collection NAME prints the files of a new collection; --write writes them. NAME: visitorBadges'

try {
  await make(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function make(words: string[]) {
  const [what, name, ...more] = words.filter((word) => word !== '--write')
  if (what !== 'collection' || name === undefined || more.length > 0) throw new Error(usage)
  const pieces = piecesOf({ names: namesOf(name), migration: await nextMigration() })
  // npm consumes flags before `--`, and passes them on in the environment.
  const isWritten = words.includes('--write') || process.env['npm_config_write'] === 'true'
  if (!isWritten) return console.log(pieces.map(printed).join('\n'))
  await writePieces(root, pieces)
  const files = [...new Set(pieces.map(({ file }) => file))]
  format(files)
  run(
    'node',
    [join(root, 'scripts/write-schema.ts')],
    'The files are written, but docs/schema.sql is not. Run npm run schema.',
  )
  console.log(`${[...files, 'docs/schema.sql'].join('\n')}\nNext: docs/guides/add-a-field-and-a-collection.md`)
}

function printed({ file, before, text }: Piece) {
  const place = before === undefined ? 'a new file' : `before ${JSON.stringify(before.trim())}`
  return `=== ${file} (${place})\n${text}`
}

/** Line breaks depend on the length of the name. */
function format(files: string[]) {
  const formatted = files.filter((file) => !file.endsWith('.sql'))
  run('biome', ['format', '--write', ...formatted], 'The files are written but not formatted. Run npm run format.')
}

function run(program: string, settings: string[], failure: string) {
  const { status } = spawnSync(program, settings, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) throw new Error(failure)
}

/** Migrations are applied in the order of their numbers. */
async function nextMigration() {
  const names = await readdir(join(root, 'apps/server/src/database/migrations'))
  const last =
    names
      .filter((name) => name.endsWith('.sql'))
      .sort()
      .at(-1) ?? '0000'
  return String(Number(last.slice(0, 4)) + 1).padStart(4, '0')
}
