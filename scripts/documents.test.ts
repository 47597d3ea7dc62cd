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

const folders = ['apps', 'packages', 'docs', 'scripts', 'e2e', 'bench']
const paths = [...folders]
for (const folder of folders) {
  for (const name of await readdir(join(root, folder), { recursive: true })) paths.push(join(folder, name))
}

test.for(documents)('the paths that %s names in code exist', async (document) => {
  // Rejected alternatives may name others.
  const [text = ''] = (await readFile(join(root, document), 'utf8')).split('**Alternatives.**')
  const named = [...text.matchAll(/`([^`\s]+)`/g)].map(([, code = '']) => code).filter(isPath)
  expect(named.filter((path) => !paths.some((each) => patternOf(path).test(each)))).toEqual([])
})

/** The file of a test, a source with its folder, or a path from the root. */
function isPath(code: string) {
  return (
    /^[\w.-]+\.test\.tsx?$|^[\w.-]+\/.*\.(tsx?|mjs|sql|md)$/.test(code) || folders.includes(code.split('/')[0] ?? '')
  )
}

/** Documents leave out the beginning of paths, and have open names: `{key}`, `SUBJECT`, `*`, and that of an example. */
function patternOf(path: string) {
  const parts = path.replace(/\/$/, '').split(/\{\w+\}|\b[A-Z]{3,}\b|\*|visitor-badges/)
  return new RegExp(`(^|/)${parts.map((part) => RegExp.escape(part)).join('[^/]+')}$`)
}

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
