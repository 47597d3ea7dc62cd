import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig, settingNames } from '../apps/server/src/config.ts'
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

test('the service file has settings that the server accepts, and no others', async () => {
  const file = await readFile(join(root, 'docs/guides/portcullis.service'), 'utf8')
  const settings = Object.fromEntries(
    [...file.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  )
  expect(readConfig(settings)).toMatchObject({ isProduction: true, dataDir: '/var/lib/portcullis' })
  expect(Object.keys(settings).filter((name) => !settingNames.includes(name))).toEqual([])
  const [, program = ''] = /^ExecStart=\S+ node (\S+) start$/m.exec(file) ?? []
  expect(existsSync(join(root, program))).toBe(true)
})

test('the README lists every setting of the server', async () => {
  const text = await readFile(join(root, 'README.md'), 'utf8')
  const listed = [...text.matchAll(/^\| (`[A-Z].*?) \|/gm)].flatMap(
    ([, names = '']) => names.match(/[A-Z_]{4,}/g) ?? [],
  )
  expect([...listed, 'NODE_ENV'].sort()).toEqual([...settingNames].sort())
})
