import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { buildConsole } from './build-console.ts'
import { findBrowser } from './find-browser.ts'
import { testEnvironment } from './test-environment.ts'

/**
 * The journeys alone, those that are named or every one of them: `npm run journeys forms lists`. With `all` first, each view is
 * looked at in every width and scheme.
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
