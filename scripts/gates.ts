import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

export type Gate = { name: string; commands: string[][] }
export type GateResult = { name: string; isPassed: boolean; seconds: number; output: string }

/** What every change must pass before its tests count. */
export async function gates(): Promise<Gate[]> {
  return [
    { name: 'format', commands: [['biome', 'format', '.']] },
    { name: 'lint', commands: [['oxlint', '--type-aware', '--deny-warnings']] },
    { name: 'types', commands: (await typedFolders()).map((folder) => ['tsc', '-p', folder]) },
    { name: 'import directions', commands: [['node', 'scripts/check-imports.ts']] },
    { name: 'dead code', commands: [['knip', '--no-progress', '--treat-config-hints-as-errors']] },
    { name: 'lock file', commands: [['node', 'scripts/complete-lock.ts', 'check']] },
    {
      name: 'one version per dependency',
      commands: [['sherif', '--fail-on-warnings', '--ignore-rule', 'root-package-manager-field']],
    },
  ]
}

export async function runGate({ name, commands }: Gate): Promise<GateResult> {
  const since = performance.now()
  const outputs: string[] = []
  let isPassed = true
  for (const [program = '', ...settings] of commands) {
    const { code, output } = await run(program, settings)
    if (code === 0) continue
    isPassed = false
    outputs.push(`$ ${[program, ...settings].join(' ')}\n${output.trimEnd()}`)
  }
  return { name, isPassed, seconds: (performance.now() - since) / 1000, output: outputs.join('\n') }
}

async function typedFolders(): Promise<string[]> {
  const [apps, packages] = await Promise.all(['apps', 'packages'].map((parent) => readdir(join(root, parent))))
  const folders = [
    ...(apps ?? []).map((name) => `apps/${name}`),
    ...(packages ?? []).map((name) => `packages/${name}`),
    'packages/client/examples',
    'e2e',
    'bench',
    'scripts',
  ]
  return folders.filter((folder) => existsSync(join(root, folder, 'tsconfig.json')))
}

async function run(program: string, settings: string[]): Promise<{ code: number; output: string }> {
  const { promise, resolve } = Promise.withResolvers<{ code: number; output: string }>()
  let output = ''
  const child = spawn(program, settings, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += String(data)))
  child.once('error', (error) => resolve({ code: 1, output: error.message }))
  child.once('close', (code) => resolve({ code: code ?? 1, output }))
  return promise
}
