import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Call, nameOf } from '@portcullis/contract/call'
import { calls } from '@portcullis/contract/calls/registry'
import { isTest } from './imports-of.ts'

/** The folder that defines all calls. */
export const definitions = 'packages/contract/src/calls/'

const production = ['apps/*/src/**/*.{ts,tsx}', 'packages/*/src/**/*.ts', 'e2e/permissions/*-{recipes,probes}.ts']

/** The file that defines the generic calls of collections. */
const genericCalls = 'packages/contract/src/collection-calls.ts'

/** Each place outside tests that spells out the path of a call, as `{file}: {call}`. */
export async function writtenCallPaths(root: string): Promise<string[]> {
  const found: string[] = []
  for await (const file of glob(production, { cwd: root })) {
    if (isTest(file)) continue
    const text = await readFile(join(root, file), 'utf8')
    for (const call of calls) if (writes(text, call)) found.push(`${file}: ${nameOf(call)}`)
    if (file !== genericCalls && text.includes('`/api/${')) found.push(`${file}: a generic call of a collection`)
  }
  return found
}

/** Whether a text has the path in quotes, with its parameters in any notation: `{id}`, `:id`, `${id}`. */
function writes(text: string, { path }: Call) {
  const pattern = path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, String.raw`(\$?\{[^}]*\}|:\w+)`)
  return new RegExp(`['"\`]${pattern}['"\`?]`).test(text)
}
