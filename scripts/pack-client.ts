import { spawnSync } from 'node:child_process'
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, posix, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import root from '../package.json' with { type: 'json' }
import client from '../packages/client/package.json' with { type: 'json' }

const rootDir = join(import.meta.dirname, '..')
const clientDir = join(rootDir, 'packages/client')
const tsc = join(dirname(fileURLToPath(import.meta.resolve('typescript/package.json'))), 'bin/tsc')

const [into = join(clientDir, 'dist')] = process.argv.slice(2)
console.log(await packClient(resolve(into)))

/**
 * Packs the typed client for programs outside this repository and returns the path of the tarball: the client and its parts
 * of the contract and the domain, as JavaScript with types (decision 0071).
 */
async function packClient(folder: string): Promise<string> {
  const work = await mkdtemp(join(tmpdir(), 'portcullis-pack-client-'))
  try {
    const compiled = join(work, 'compiled')
    run(process.execPath, [tsc, '-p', join(clientDir, 'tsconfig.package.json'), '--outDir', compiled])
    const packed = join(work, 'package')
    await takeModules(compiled, packed)
    await writeFile(join(packed, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
    await copyFile(join(rootDir, 'LICENSE'), join(packed, 'LICENSE'))
    await copyFile(join(clientDir, 'README.md'), join(packed, 'README.md'))
    await cp(join(clientDir, 'examples/list-doors.ts'), join(packed, 'examples/list-doors.ts'))
    const name = run('npm', ['pack', '--silent'], packed).trim()
    await mkdir(folder, { recursive: true })
    await copyFile(join(packed, name), join(folder, name))
    return join(folder, name)
  } finally {
    await rm(work, { recursive: true })
  }
}

function manifest() {
  const { name, version, license, type, dependencies } = client
  return {
    name,
    version,
    description: 'The typed client of a Portcullis server: its collections, its calls and its real-time channel.',
    license,
    type,
    engines: root.engines,
    sideEffects: false,
    exports: {
      './contract/*': { types: './contract/*.d.ts', default: './contract/*.js' },
      './*': { types: './client/*.d.ts', default: './client/*.js' },
    },
    dependencies: Object.fromEntries(
      Object.entries(dependencies).filter(([other]) => !other.startsWith('@portcullis/')),
    ),
  }
}

/** Every module from `client/src/live.js` to `client/live.js`, and so on. */
async function takeModules(compiled: string, packed: string) {
  const entries = await readdir(compiled, { recursive: true, withFileTypes: true })
  for (const entry of entries.filter((one) => one.isFile())) {
    const from = join(entry.parentPath, entry.name)
    const path = relative(compiled, from).replaceAll(sep, '/').replace('/src/', '/')
    await mkdir(dirname(join(packed, path)), { recursive: true })
    await writeFile(join(packed, path), withOwnImports(path, await readFile(from, 'utf8')))
  }
}

/** Makes a module's imports of our packages, and of TypeScript files, relative. */
function withOwnImports(path: string, source: string) {
  return source
    .replaceAll(/(["'])@portcullis\/(\w+\/[\w/-]+)\1/g, (_, quote: string, module: string) => {
      return `${quote}${posix.relative(posix.dirname(path), module)}.js${quote}`
    })
    .replaceAll(/(["'])(\.\.?\/[\w./-]+)\.ts\1/g, '$1$2.js$1')
}

function run(program: string, settings: string[], cwd = rootDir): string {
  const { status, stdout, error } = spawnSync(program, settings, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    // npm is a shell script on Windows.
    shell: process.platform === 'win32' && program === 'npm',
  })
  if (status === 0) return stdout
  throw new Error(`${[program, ...settings].join(' ')} failed.\n${stdout ?? ''}`, { cause: error })
}
