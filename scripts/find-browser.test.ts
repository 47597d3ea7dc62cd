import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findBrowser } from './find-browser.ts'

const isRootOnDebian = process.getuid?.() === 0 && existsSync('/etc/debian_version')

let path: string
let messages: string[]

/** A machine on which only the programs of a test can be found. */
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'portcullis-browser-'))
  messages = []
  vi.stubEnv('PATH', path)
  vi.stubEnv('PORTCULLIS_BROWSER', '')
  vi.stubEnv('PLAYWRIGHT_BROWSERS_PATH', join(path, 'downloads'))
})

afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(path, { recursive: true })
})

async function put(name: string, script: string): Promise<string> {
  const file = join(path, name)
  await writeFile(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return file
}

/** An apt-get with one package. */
function installing(name: string) {
  const program = join(path, name)
  return `[ "$2 $4" = "install ${name}" ] && echo '#!/bin/sh' > ${program} && /bin/chmod +x ${program}`
}

function find(): string {
  return findBrowser((sentence) => messages.push(sentence))
}

test.skipIf(process.platform === 'win32')(
  'an installed browser is taken, and a stub that only recommends one is not',
  async () => {
    await put('chromium-browser', 'echo "Please install me"; exit 1')
    const chrome = await put('google-chrome', 'exit 0')
    expect(find()).toBe(chrome)
    const chromium = await put('chromium', 'exit 0')
    expect(find()).toBe(chromium)
    expect(messages).toEqual([])
  },
)

test.skipIf(process.platform === 'win32')(
  'PORTCULLIS_BROWSER goes first, and an invalid path is reported',
  async () => {
    await put('chromium', 'exit 0')
    const own = await put('my-browser', 'exit 0')
    vi.stubEnv('PORTCULLIS_BROWSER', own)
    expect(find()).toBe(own)
    vi.stubEnv('PORTCULLIS_BROWSER', join(path, 'absent'))
    expect(find).toThrow(/^PORTCULLIS_BROWSER: .* does not run: set it to Chromium or Chrome, or leave it out\.$/)
  },
)

test.runIf(isRootOnDebian)(
  'without any, a download is tried, then as root on Debian its package, and both are reported',
  async () => {
    await put('playwright', 'exit 1')
    await put('apt-get', installing('chromium-headless-shell'))
    expect(find()).toBe(join(path, 'chromium-headless-shell'))
    expect(messages).toEqual([
      expect.stringContaining('Playwright'),
      expect.stringContaining('apt-get install -y chromium-headless-shell'),
    ])
  },
)

test.runIf(isRootOnDebian)('if Debian has no headless browser, the complete one is installed', async () => {
  await put('playwright', 'exit 1')
  await put('apt-get', installing('chromium'))
  expect(find()).toBe(join(path, 'chromium'))
  expect(messages.at(-1)).toContain('apt-get install -y chromium)')
})

test.runIf(isRootOnDebian)('if nothing helps, one sentence names the command to run', async () => {
  await put('playwright', 'exit 1')
  await put('apt-get', 'exit 1')
  expect(find).toThrow('sudo apt-get install -y chromium')
})
