import { chromium } from '@playwright/test'
import { startControllers, startProduct } from '../e2e/product.ts'
import { signIn } from '../e2e/sign-in.ts'
import { makeSmallSite } from '../e2e/small-site.ts'
import { browserFlags, findBrowser } from '../scripts/find-browser.ts'
import { until } from './page-frames.ts'

/**
 * Measures the time from a card at the reader to its row on the screen. Six virtual controllers present cards, and a real
 * browser shows the events list. A time ends when the row appears in the page.
 *   node bench/card-to-screen.ts [events a second] [seconds]
 */
const perSecond = Number(process.argv[2] ?? 20)
const seconds = Number(process.argv[3] ?? 30)
const total = perSecond * seconds

const product = await startProduct({ demonstration: 'off' })
const controllers = await startControllers(product)
const browser = await chromium.launch({
  executablePath: findBrowser((sentence) => console.log(sentence)),
  args: browserFlags(),
})
try {
  const { control } = controllers
  const places = []
  for (let unit = 1; unit <= 6; unit += 1)
    places.push(await makeSmallSite({ ...product, control, serial: `B-${unit}` }))
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await signIn(page, product.url)
  await page.goto(`${product.url}/main/events/list?size=100`)
  await page.getByText('Live', { exact: true }).waitFor()

  const presentedAt = new Map<string, number>()
  await page.evaluate(watchRows)

  const began = performance.now()
  const presenting: Promise<unknown>[] = []
  for (let event = 0; event < total; event += 1) {
    await until(began + (event * 1_000) / perSecond)
    const place = places[event % places.length]
    if (!place) break
    // A unique number identifies each row; it is not assigned to a user, so each is an unknown card.
    const number = `7${String(event).padStart(7, '0')}`
    presentedAt.set(number, Date.now())
    presenting.push(control.present(place.serial, { door: 1, number }))
  }
  await Promise.all(presenting)
  await page
    .waitForFunction((count) => performance.getEntriesByType('mark').length >= count, total, { timeout: 10_000 })
    .catch(() => console.log('Some rows did not appear in time: the figures cover the others.'))
  const seenAt = await page.evaluate(readMarks)
  const delays = seenAt.map(([number, at]) => at - (presentedAt.get(number) ?? at)).sort((a, b) => a - b)
  const at = (share: number) => delays[Math.min(delays.length - 1, Math.floor(delays.length * share))]
  console.log(`card to screen, ${perSecond} events a second for ${seconds} s, in a browser on the same machine:`)
  console.log(
    `  ${delays.length} of ${total} seen; p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms`,
  )
} finally {
  await browser.close()
  await controllers.stop()
  await product.stop()
}

/** Runs in the page: marks the number of each card when its row appears. */
function watchRows() {
  performance.clearMarks()
  const marked = new Set<string>()
  const mark = (text: string) => {
    for (const number of text.match(/7\d{7}/g) ?? []) {
      if (!marked.has(number)) performance.mark(number)
      marked.add(number)
    }
  }
  new MutationObserver((records) => {
    for (const record of records) for (const node of record.addedNodes) mark(node.textContent ?? '')
  }).observe(document.body, { childList: true, subtree: true })
}

/** Runs in the page: returns the marks in wall-clock time. */
function readMarks() {
  return performance
    .getEntriesByType('mark')
    .map(({ name, startTime }): [string, number] => [name, performance.timeOrigin + startTime])
}
