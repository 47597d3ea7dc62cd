import { glob, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Call, nameOf } from '@portcullis/contract/call'
import { calls } from '@portcullis/contract/calls/registry'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const definitions = 'packages/contract/src/calls/'
const production = ['apps/*/src/**/*.{ts,tsx}', 'packages/*/src/**/*.ts', 'e2e/permissions/*-recipes.ts']

test('the path of a call is written in its definition alone', async () => {
  const found: string[] = []
  for await (const file of glob(production, { cwd: root })) {
    if (isTest(file)) continue
    const text = await readFile(join(root, file), 'utf8')
    for (const call of calls) if (writes(text, call)) found.push(`${file}: ${nameOf(call)}`)
  }
  expect(found.length).toBeGreaterThanOrEqual(calls.length)
  expect(found.filter((line) => !line.startsWith(definitions))).toEqual([])
})

test('every call that is defined is in the registry, and so in the document and the permission matrix', async () => {
  const files = (await readdir(join(root, definitions))).filter((file) => !file.startsWith('registry'))
  const modules = await Promise.all(
    files.map((file): Promise<Record<string, unknown>> => import(join(root, definitions, file))),
  )
  const defined = modules.flatMap((module) => Object.values(module).filter(isCall))
  expect(new Set(defined)).toEqual(new Set(calls))
})

function isTest(file: string) {
  return /\.test\.tsx?$|\/test-[^/]*\.ts$/.test(file)
}

/** Whether a text holds the path in quotes, with its parameters in any notation: `{id}`, `:id`, `${id}`. */
function writes(text: string, { path }: Call) {
  const pattern = path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, String.raw`(\$?\{[^}]*\}|:\w+)`)
  return new RegExp(`['"\`]${pattern}['"\`?]`).test(text)
}

function isCall(value: unknown) {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'returns' in value
}
