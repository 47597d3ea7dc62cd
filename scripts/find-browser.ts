import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

// Prefers the headless shell, which needs half the resources.
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const debianPackages = ['chromium-headless-shell', 'chromium']

const usualPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
]

const downloadTimeoutMs = 180_000

/**
 * Returns the browser for the tests. If none is installed it downloads one; if that fails, the error names the command to
 * run.
 */
export function findBrowser(log: (sentence: string) => void): string {
  return installedBrowser() ?? downloaded(log) ?? fromDebian(log) ?? giveUp()
}

/** Returns an installed browser, without a download. */
export function installedBrowser(): string | undefined {
  return chosen() ?? installed()
}

/** Options for machines without a screen. As root the browser has no sandbox. */
export function browserFlags(): string[] {
  return [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ]
}

function chosen(): string | undefined {
  const program = process.env.PORTCULLIS_BROWSER
  if (!program) return undefined
  if (runs(program)) return program
  throw new Error(`PORTCULLIS_BROWSER: ${program} does not run: set it to Chromium or Chrome, or leave it out.`)
}

function installed(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...onPath, ...usualPlaces].find(runs)
}

function downloaded(log: (sentence: string) => void): string | undefined {
  const own = playwrightsOwn()
  if (own === undefined || runs(own)) return own
  log('No Chromium or Chrome found: Playwright downloads its own.')
  spawnSync('playwright', ['install', 'chromium'], {
    stdio: 'ignore',
    timeout: downloadTimeoutMs,
    shell: process.platform === 'win32',
    env: { ...process.env, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '15000' },
  })
  return runs(own) ? own : undefined
}

function playwrightsOwn(): string | undefined {
  const question = `import { chromium } from '@playwright/test'; console.log(chromium.executablePath())`
  const result = spawnSync(process.execPath, ['--input-type=module', '--eval', question], {
    cwd: join(import.meta.dirname, '../e2e'),
    encoding: 'utf8',
  })
  return result.stdout.trim() || undefined
}

function fromDebian(log: (sentence: string) => void): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return undefined
  aptGet('update')
  for (const name of debianPackages) {
    log(`Not found: installing the Debian package ${name} (apt-get install -y ${name}).`)
    aptGet('install', '-y', name)
    const browser = installed()
    if (browser !== undefined) return browser
  }
  return undefined
}

function aptGet(...settings: string[]) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', ['-qq', ...settings], { stdio: ['ignore', 'ignore', 'inherit'], env })
}

function giveUp(): never {
  throw new Error(
    'No browser for the tests: install Chromium or Chrome (on Debian: sudo apt-get install -y chromium), or run npx playwright install --with-deps chromium.',
  )
}

/** Runs the program, because a file is not enough: it may be a stub that recommends a package, or lack its libraries. */
function runs(program: string): boolean {
  if (!existsSync(program)) return false
  if (process.platform === 'win32') return true
  return spawnSync(program, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0
}
