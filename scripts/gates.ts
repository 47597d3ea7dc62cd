import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Counts } from './count-tests.ts'

const root = join(import.meta.dirname, '..')

type Gate = { name: string; command: string[]; env?: Record<string, string> }

/**
 * The gates of every change, the slowest first. Several checkers compute many types several times, so `types` and `lint` have
 * one each. Go collects its garbage half as often as by default.
 */
const gates: Gate[] = [
  { name: 'types', command: ['tsc', '-b', '--checkers', '1'], env: { GOGC: '200' } },
  { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings'], env: { GOGC: '200', GOMAXPROCS: '1' } },
  { name: 'dead code', command: ['knip', '--no-progress', '--treat-config-hints-as-errors'] },
  { name: 'format', command: ['biome', 'format', '.'] },
  { name: 'import directions', command: ['node', 'scripts/check-imports.ts'] },
  { name: 'words', command: ['node', 'scripts/word-lint.ts'] },
  { name: 'texts', command: ['node', 'scripts/text-keys.ts'] },
  { name: 'lock file', command: ['node', 'scripts/complete-lock.ts', 'check'] },
  {
    name: 'one version per dependency',
    command: ['sherif', '--fail-on-warnings', '--ignore-rule', 'root-package-manager-field'],
  },
]

/** Runs all gates, one per processor at a time, and prints each when it ends. */
export async function runGates(): Promise<Counts> {
  const counts = { passed: 0, failed: 0 }
  // The workers share one iterator, so each takes the next free gate.
  const waiting = gates.values()
  const work = async () => {
    for (const gate of waiting) counts[(await isPassed(gate)) ? 'passed' : 'failed'] += 1
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return counts
}

async function isPassed({ name, command, env = {} }: Gate): Promise<boolean> {
  const since = performance.now()
  const [program = '', ...settings] = command
  const { code, output } = await run(program, settings, env)
  const seconds = ((performance.now() - since) / 1000).toFixed(1)
  console.log(`${code === 0 ? 'passed' : 'FAILED'}  ${name} (${seconds} s)`)
  if (code !== 0) console.log(`$ ${command.join(' ')}\n${output.trimEnd()}`)
  return code === 0
}

async function run(program: string, settings: string[], env: Record<string, string>) {
  const { promise, resolve } = Promise.withResolvers<{ code: number; output: string }>()
  let output = ''
  const child = spawn(program, settings, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += String(data)))
  child.once('error', (error) => resolve({ code: 1, output: error.message }))
  child.once('close', (code) => resolve({ code: code ?? 1, output }))
  return promise
}
