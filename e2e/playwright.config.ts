import { defineConfig } from '@playwright/test'
import { browserFlags, browserThatIsThere } from '../scripts/find-browser.ts'

// Read by tools that run no journey, too: `npm test` fetches a browser where none is there.
const executablePath = browserThatIsThere()

export default defineConfig({
  testDir: './journeys',
  outputDir: '../test-results',
  globalSetup: './engine.ts',
  // Each has a server of its own; most of the time a browser waits, also on two processors.
  workers: 3,
  forbidOnly: true,
  // Time limits only end a run that hangs: on a busy machine everything takes many times as long.
  timeout: 600_000,
  expect: { timeout: 90_000 },
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    contextOptions: { reducedMotion: 'reduce' },
    timezoneId: 'Africa/Johannesburg',
    actionTimeout: 90_000,
    screenshot: 'only-on-failure',
    launchOptions: { args: browserFlags(), ...(executablePath === undefined ? {} : { executablePath }) },
  },
})
