import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from '@playwright/test'
import { signedInClient } from '@portcullis/client/signed-in-client'
import { doors } from '@portcullis/contract/collections/doors'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { startEmbedded } from '@portcullis/server/database/embedded/start-embedded'
import { z } from 'zod'
import { administrator } from '../e2e/administrator.ts'
import { changeRows } from '../e2e/change-rows.ts'
import { startProduct } from '../e2e/product.ts'
import { signIn } from '../e2e/sign-in.ts'
import { browserFlags, findBrowser } from '../scripts/find-browser.ts'
import { median, quantile } from './median.ts'
import { pause } from './watched-person.ts'

/**
 * Measures the time from a request for access to its toast in an operator's browser. The request is made over REST, and the
 * time ends with the first frame that shows the toast. The parts show where the time is spent.
 *   node bench/request-to-toast.ts [requests]
 */
const total = Number(process.argv[2] ?? 200)
const limitMs = 300
const maxPauseMs = 400
const latest = z.object({ received: z.number(), shown: z.number(), painted: z.number() })

const home = await mkdtemp(join(tmpdir(), 'portcullis-toast-'))
const engine = await startEmbedded({ dataDir: home, log: () => {}, purpose: 'tests' })
const product = await startProduct({ demonstration: 'off', databaseUrl: engine.databaseUrl })
const browser = await chromium.launch({
  executablePath: findBrowser((sentence) => console.log(sentence)),
  args: browserFlags(),
})
try {
  const { client } = await signedInClient({ baseUrl: product.url, ...administrator })
  const site = await client.of(sites).create({ name: 'Harbour', timeZone: 'UTC' })
  const unit = await client.of(units).create({ name: 'Gatehouse', serial: 'T-1', site: site._id })
  const door = await client.of(doors).create({ name: 'Main gate', site: site._id, unit: unit._id, unitDoor: 1 })
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await openConsole(context)
  await page.goto(`${product.url}/main/events/list`)
  await page.getByText('Live', { exact: true }).first().waitFor()

  await page.evaluate(watchToasts)

  const samples: Sample[] = []
  for (let request = 0; request < total; request += 1) {
    await pause(Math.random() * maxPauseMs)
    const requested = Date.now()
    await client.remoteAccess.ask(door._id, { expiresAfterSeconds: 5 })
    const answered = Date.now()
    await page.waitForFunction((count) => performance.getEntriesByName('painted').length >= count, request + 1)
    const { received, shown, painted } = latest.parse(await page.evaluate(readLatest))
    samples.push({ requested, answered, received, shown, painted })
    await liftLimits()
  }
  print(samples)
} finally {
  await browser.close()
  await product.stop()
  await engine.stop()
  await rm(home, { recursive: true, force: true })
}

/** Ends the open request and moves it a minute into the past: a user makes only 10 a minute, and one at a door. */
async function liftLimits() {
  const { databaseUrl } = engine
  const expired = `update task set task_expires_at = clock_timestamp() where task_status = 'Requested'`
  await changeRows({ databaseUrl, statement: expired, values: [] })
  const aged = `update history set history_at = history_at - interval '1 minute' where history_collection = 'tasks'`
  await changeRows({ databaseUrl, statement: aged, values: [] })
}

type Sample = { requested: number; answered: number; received: number; shown: number; painted: number }

/** The console, in a page that records the time at which the channel delivers an open request. */
async function openConsole(context: BrowserContext) {
  const page = await context.newPage()
  await page.addInitScript(() => {
    const Original = WebSocket
    window.WebSocket = class extends Original {
      constructor(url: string | URL, protocols?: string | string[]) {
        super(url, protocols)
        this.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
          const frame = String(data)
          if (frame.includes('"task:save"') && frame.includes('"status":"Requested"')) performance.mark('heard')
        })
      }
    }
  })
  await signIn(page, product.url)
  return page
}

/** Runs in the page: records when the toast of a request is added to the page, and when its first frame is done. */
function watchToasts() {
  const paint = () =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.addEventListener('message', () => performance.mark('painted'))
      port1.start()
      port2.postMessage(undefined)
    })
  new MutationObserver((records) => {
    for (const { addedNodes } of records) {
      for (const node of addedNodes) {
        if (!node.textContent?.includes('New Access Requested')) continue
        performance.mark('shown')
        paint()
      }
    }
  }).observe(document.body, { childList: true, subtree: true })
}

/** Runs in the page: the latest of each mark, in wall-clock time. */
function readLatest() {
  return Object.fromEntries(
    ['heard', 'shown', 'painted'].map((name) => [
      name,
      performance.timeOrigin + (performance.getEntriesByName(name).at(-1)?.startTime ?? 0),
    ]),
  )
}

function print(samples: readonly Sample[]) {
  const parts = {
    'request to toast': ({ requested, painted }: Sample) => painted - requested,
    '  request to answer': ({ requested, answered }: Sample) => answered - requested,
    '  request to the browser': ({ requested, received }: Sample) => received - requested,
    '  browser to the page': ({ received, shown }: Sample) => shown - received,
    '  page to the frame': ({ shown, painted }: Sample) => painted - shown,
  }
  console.log(`${samples.length} requests, each to its toast in a browser on the same machine, ms:`)
  console.log(`${''.padEnd(26)}${['p50', 'p99', 'worst'].map((head) => head.padStart(8)).join('')}`)
  for (const [name, part] of Object.entries(parts)) {
    const values = samples.map(part)
    const cells = [median(values), quantile(values, 0.99), Math.max(...values)]
    console.log(`${name.padEnd(26)}${cells.map((cell) => cell.toFixed(0).padStart(8)).join('')}`)
  }
  const p99 = quantile(samples.map(parts['request to toast']), 0.99)
  console.log(`goal: p99 under ${limitMs} ms: ${p99 < limitMs ? 'met' : 'MISSED'}`)
}
