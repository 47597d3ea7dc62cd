import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { buildConsole } from './build-console.ts'
import { findBrowser } from './find-browser.ts'
import { testEnvironment } from './test-environment.ts'

/**
 * Runs the named journeys, or all of them: `npm run journeys forms lists`. With `all` first, each view is tested in every
 * width and colour scheme.
 */
const [first, ...rest] = process.argv.slice(2)
const isAll = first === 'all'
const named = isAll || first === undefined ? rest : [first, ...rest]
const root = join(import.meta.dirname, '..')

if ((await buildConsole()) === 'failed') process.exit(1)
const child = spawn('playwright', ['test', '--config', join(root, 'e2e/playwright.config.ts'), ...named], {
  cwd: root,
  env: {
    ...testEnvironment(),
    PORTCULLIS_BROWSER: findBrowser((sentence) => console.log(sentence)),
    PORTCULLIS_VIEWS: isAll ? 'all' : 'some',
  },
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
child.once('exit', (code) => {
  process.exitCode = code ?? 1
})
