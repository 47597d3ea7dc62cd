import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'

const root = join(import.meta.dirname, '..')
const report = z.object({ diagnostics: z.array(z.object({ code: z.string(), filename: z.string() })) })

const planted = {
  'any.ts': [`export function f(x: any): unknown { return x }`, 'typescript(no-explicit-any)'],
  'bang.ts': [`export function f(x: string | undefined): string { return x! }`, 'typescript(no-non-null-assertion)'],
  'as.ts': [`export function f(x: unknown): string { return x as string }`, 'typescript(consistent-type-assertions)'],
  'floating.ts': [`export function f(x: () => Promise<void>): void { x() }`, 'typescript(no-floating-promises)'],
  'type-import.ts': [
    `import { Used } from './used.ts'\nexport const x: Used = 1`,
    'typescript(consistent-type-imports)',
  ],
  'console.ts': [`export function f(): void { console.log(1) }`, 'eslint(no-console)'],
  'environment.ts': [`export const x = process.env.PATH`, 'node(no-process-env)'],
  'long.ts': [Array.from({ length: 301 }, (_, line) => `export const x${line} = 1`).join('\n'), 'eslint(max-lines)'],
  'branches.ts': [
    `export function f(x: number): number {${Array.from({ length: 12 }, (_, n) => ` if (x === ${n}) return 1`).join(';')}; return 0 }`,
    'eslint(complexity)',
  ],
  'one.ts': [`import { two } from './two.ts'\nexport function one(): number { return two() }`, 'import(no-cycle)'],
  'two.ts': [`import { one } from './one.ts'\nexport function two(): number { return one() }`, 'import(no-cycle)'],
} as const

let folder: string
let found: { code: string; filename: string }[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portcullis-lint-'))
  const settings = {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: { lib: ['esnext', 'dom'] },
    include: ['.'],
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  await writeFile(join(folder, 'used.ts'), 'export type Used = number\nexport const list = [1] as const')
  for (const [name, [source]] of Object.entries(planted)) await writeFile(join(folder, name), source)
  const config = join(root, '.oxlintrc.json')
  const oxlint = join(root, 'node_modules/oxlint/bin/oxlint')
  const args = [oxlint, '--type-aware', '--config', config, '--format', 'json', folder]
  const { stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  found = report.parse(JSON.parse(stdout)).diagnostics
})

afterAll(() => rm(folder, { recursive: true }))

test.for(Object.entries(planted))('the lint catches the fault planted in %s', ([name, [, code]]) => {
  expect(found.filter(({ filename }) => filename.endsWith(name)).map((diagnostic) => diagnostic.code)).toContain(code)
})

test('the lint lets `as const` pass, and finds nothing in correct code', () => {
  expect(found.filter(({ filename }) => filename.endsWith('used.ts'))).toEqual([])
})
