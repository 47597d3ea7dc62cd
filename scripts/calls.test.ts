import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { calls } from '@portcullis/contract/calls/registry'
import { expect, test } from 'vitest'
import { definitions, writtenCallPaths } from './call-paths.ts'

const root = join(import.meta.dirname, '..')

test('the path of a call is written in its definition alone', async () => {
  const found = await writtenCallPaths(root)
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

function isCall(value: unknown) {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'returns' in value
}
