import { spawn } from 'node:child_process'
import { copyFile, cp, link, mkdir, mkdtemp, readdir, readlink, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** Copies the repository to a temporary folder, in which commands cannot reach the original. */
export async function copyRepository() {
  const folder = await mkdtemp(join(tmpdir(), 'portcullis-copy-'))
  const listed = await runIn(root, ['git', 'ls-files', '-co', '--exclude-standard', '-z'])
  for (const file of listed.split('\0').filter((name) => name !== '')) {
    await cp(join(root, file), join(folder, file)).catch(unlessAbsent)
  }
  await linkFolder(join(root, 'node_modules'), join(folder, 'node_modules'))
  const types = 'node_modules/.cache/types'
  await cp(join(root, types), join(folder, types), { recursive: true }).catch(unlessAbsent)
  return { folder, run: (...command: string[]) => runIn(folder, command) }
}

/** Hard links, which take a second; copies if the temporary folder is on another disk. */
async function linkFolder(from: string, to: string) {
  await mkdir(to)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.name === '.cache') continue
    if (entry.isDirectory()) await linkFolder(source, target)
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    else await link(source, target).catch(() => copyFile(source, target))
  }
}

/** git may still list a deleted file. */
function unlessAbsent(error: unknown) {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}

/** Runs a command in a folder, with the programs installed there; resolves with its output. */
async function runIn(folder: string, [program = '', ...settings]: string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const bin = join(folder, 'node_modules/.bin')
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST') && name !== 'NODE_ENV')
  const child = spawn(program, settings, {
    cwd: folder,
    env: { ...Object.fromEntries(inherited), PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += String(data)))
  child.once('error', reject)
  child.once('close', (code) => {
    if (code === 0) resolve(output)
    else reject(new Error(`${program} ${settings.join(' ')} ended with ${String(code)}:\n${output}`))
  })
  return promise
}
