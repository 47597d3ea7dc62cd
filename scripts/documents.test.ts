import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '..')
const documents = [
  'README.md',
  ...(await readdir(join(root, 'docs'), { recursive: true }))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]

test.for(documents)('the files, pictures and commands that %s refers to exist', async (document) => {
  const text = await readFile(join(root, document), 'utf8')
  const targets = [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#]+)/g)].map(([, target = '']) => target)
  expect(targets.filter((target) => !existsSync(join(root, dirname(document), target)))).toEqual([])
  const commands = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, command = '']) => command)
  expect(commands.filter((command) => !Object.hasOwn(manifest.scripts, command))).toEqual([])
})
