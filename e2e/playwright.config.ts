import { defineConfig } from '@playwright/test'
import { browserFlags, installedBrowser } from '../scripts/find-browser.ts'

// Tools that run no journeys also load this file, so it does not download a browser; `npm test` does.
const executablePath = installedBrowser()

export default defineConfig({
  testDir: './journeys',
  outputDir: '../test-results',
  globalSetup: './engine.ts',
  // Each worker has its own server. Three also suit two processors, because a browser mostly waits.
  workers: 3,
  forbidOnly: true,
  // Long limits only end a run that hangs: on a busy machine everything takes many times as long.
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
