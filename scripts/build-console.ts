import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { compressFiles } from './compress-files.ts'

const root = join(import.meta.dirname, '..')
const consoleDir = join(root, 'apps/console')
const stampFile = join(consoleDir, 'dist/.stamp')

/** Builds the console, unless its sources are unchanged since the last build. */
export async function buildConsole(): Promise<'built' | 'unchanged' | 'failed'> {
  const inputs = await inputHash()
  if ((await readFile(stampFile, 'utf8').catch(() => '')) === inputs) return 'unchanged'
  const vite = join(
    dirname(createRequire(join(consoleDir, 'package.json')).resolve('vite/package.json')),
    'bin/vite.js',
  )
  const build = spawn(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: consoleDir,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  await once(build, 'exit')
  if (build.exitCode !== 0) return 'failed'
  await compressFiles(join(consoleDir, 'dist'))
  await writeFile(stampFile, inputs)
  return 'built'
}

async function inputHash(): Promise<string> {
  const hash = createHash('sha256').update(await readFile(join(root, 'package-lock.json')))
  const packages = await readdir(join(root, 'packages'))
  const folders = [consoleDir, ...packages.map((name) => join(root, 'packages', name, 'src'))]
  for (const folder of folders.filter((path) => existsSync(path))) {
    for (const file of await filesIn(folder)) hash.update(relative(root, file)).update(await readFile(file))
  }
  return hash.digest('hex')
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const files: string[] = []
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isFile() && !entry.name.includes('.test.')) files.push(path)
    if (entry.isDirectory() && entry.name !== 'dist' && entry.name !== 'node_modules')
      files.push(...(await filesIn(path)))
  }
  return files
}
