import { execFile, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { recordChanges } from './changes/record-change.ts'
import { makeItem } from './collections/test-items.ts'
import { storeEvent } from './collections/test-events.ts'
import { password, startOwnServer } from './test-server.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const typescript = dirname(fileURLToPath(import.meta.resolve('typescript/package.json')))

const server = await startOwnServer()
/** A third-party program: a folder with no access to this repository except the package. */
const program = await mkdtemp(join(tmpdir(), 'portcullis-program-'))
const installed = join(program, 'node_modules/@portcullis/client')

beforeAll(async () => {
  const tarball = await outputOf(process.execPath, [join(root, 'scripts/pack-client.ts'), program])
  await mkdir(installed, { recursive: true })
  await outputOf('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed])
  for (const name of await dependencies()) await link(name)
  await writeFile(join(program, 'package.json'), '{ "type": "module" }')
  await cp(join(installed, 'examples/list-doors.ts'), join(program, 'list-doors.ts'))
})
afterAll(async () => {
  await server.stop()
  await rm(program, { recursive: true })
})

test('the client package is JavaScript with types and does not refer to this repository', async () => {
  expect(await dependencies()).toEqual(['socket.io-client', 'zod'])
  const files = await readdir(installed, { recursive: true, withFileTypes: true })
  const names = files.filter((file) => file.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const compiled = names.filter((name) => /\.(?:js|d\.ts)$/.test(name))
  expect(compiled.length).toBeGreaterThan(100)
  for (const name of compiled) {
    const text = await readFile(name, 'utf8')
    expect(text, name).not.toMatch(/['"]@portcullis\/|\.ts['"]|sourceMappingURL/)
    expect(text, name).not.toContain(root)
  }
})

test("the example and the README's code compile strictly against the client package's types", async () => {
  const readme = await readFile(join(installed, 'README.md'), 'utf8')
  const blocks = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, block = '']) => block)
  expect(blocks.length).toBeGreaterThan(3)
  await writeFile(join(program, 'readme.ts'), blocks.join('\n'))
  await link('@types/node')
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'esnext',
    module: 'nodenext',
    types: ['node'],
    skipDefaultLibCheck: true,
  }
  await writeFile(join(program, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  expect(await outputOf(process.execPath, [join(typescript, 'bin/tsc'), '-p', program])).toBe('')
})

test('the client example signs in, lists doors and prints events as they happen', async () => {
  const door = await makeItem({ ask: server.ask, collection: 'doors', fields: { name: 'North gate' } })
  const settings = { PORTCULLIS_URL: server.url, EMAIL: server.email, PASSWORD: password }
  const example = spawn(process.execPath, ['list-doors.ts'], {
    cwd: program,
    env: settings,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const lines: string[] = []
    for await (const line of createInterface(example.stdout)) {
      lines.push(line)
      if (line.startsWith('Following')) {
        await storeDeniedEvent(door._id)
      }
      if (line.includes('access.')) break
    }
    expect(lines).toEqual([
      expect.stringMatching(/^Signed in as .+, in main\.$/),
      'Door North gate: normal, unknown',
      'Following events. Press Ctrl+C to stop.',
      expect.stringMatching(/^\d{4}-\S+Z access\.denied at North gate$/),
    ])
  } finally {
    example.kill()
  }
})

/** Replaces npm, which would query the registry. */
async function link(name: string) {
  const place = join(program, 'node_modules', name)
  await mkdir(dirname(place), { recursive: true })
  await symlink(join(root, 'node_modules', name), place, 'junction')
}

async function dependencies() {
  const manifest = z.object({ dependencies: z.record(z.string(), z.string()) })
  return Object.keys(manifest.parse(JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))).dependencies)
}

/** The output of a program that succeeded. */
async function outputOf(file: string, given: string[]) {
  const { stdout } = await promisify(execFile)(file, given)
  return stdout.trim()
}

/** Stores an event as the units' gateway does. */
async function storeDeniedEvent(door: string) {
  const account = await server.keyOf('main')
  const item = await storeEvent(server.database, { account, outcome: 'denied', door })
  const change = { account, collection: 'events', item, action: 'save' as const, isPolicy: false }
  await server.database.asSystem((tx) => recordChanges(tx, [change]))
}
