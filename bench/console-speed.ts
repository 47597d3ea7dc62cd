import { chromium, type Page } from '@playwright/test'
import { events } from '@portcullis/contract/collections/events'
import { startControllers, startProduct } from '../e2e/product.ts'
import { signIn } from '../e2e/sign-in.ts'
import { makeSmallSite } from '../e2e/small-site.ts'
import { browserFlags, findBrowser } from '../scripts/find-browser.ts'
import { signInBytes } from '../scripts/sign-in-size.ts'
import { framesOf, until, workOf } from './page-frames.ts'

/**
 * Measures the console in a real browser on the same machine: the size of the sign-in page, the time of a screen change
 * with cached data, and frame times while events arrive. Frame times of an empty page are printed for comparison, because
 * server, database and controllers use the same cores.
 *   node bench/console-speed.ts [events a second] [seconds]
 */
const perSecond = Number(process.argv[2] ?? 100)
const seconds = Number(process.argv[3] ?? 20)
const screens = ['Controllers', 'Manage Access', 'Manage Schedules', 'Sites']
const rounds = 5
/** The duration of the baseline measurement without the product. */
const quietS = 5

const product = await startProduct({ demonstration: 'off' })
const controllers = await startControllers(product)
const browser = await chromium.launch({
  executablePath: findBrowser((sentence) => console.log(sentence)),
  args: browserFlags(),
})
try {
  console.log(`sign-in page: ${((await signInBytes()) / 1_000).toFixed(1)} kB of JavaScript, gzipped (limit 150)`)
  const places: Awaited<ReturnType<typeof makeSmallSite>>[] = []
  for (let unit = 1; unit <= 6; unit += 1) {
    places.push(await makeSmallSite({ ...product, control: controllers.control, serial: `B-${unit}` }))
  }
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await signIn(page, product.url)
  report('screen change with warm data', { values: await changeScreens(page), limitMs: 100 })
  const blank = await browser.newPage({ viewport: page.viewportSize() })
  const { frames: still } = await framesOf(blank, nothing)
  const { frames: busy } = await framesOf(blank, () => present(0, quietS))
  await blank.close()
  report('frame of an empty page while nothing happens', { values: still })
  report(`frame of an empty page while ${perSecond} events a second are made on this machine`, { values: busy })

  await page.goto(`${product.url}/main/events/list`)
  await page.getByText('Live', { exact: true }).first().waitFor()
  report('frame of Access Events while nothing happens', {
    values: (await framesOf(page, nothing)).frames,
  })
  const worked = await workOf(page)
  const { frames: values } = await framesOf(page, async () => {
    await present(quietS, seconds)
    await page
      .getByText(numberOf((quietS + seconds) * perSecond - 1))
      .first()
      .waitFor({ timeout: 15_000 })
  })
  report(`frame of Access Events while ${perSecond} events a second arrive for ${seconds} s`, { values, limitMs: 50 })
  console.log(
    `at p99 that is ${(at(values, 0.99) / at(busy, 0.99)).toFixed(1)} times the empty page beside the same events`,
  )
  const { all = 0 } = await worked()
  console.log(`the page itself works ${all.toFixed(0)} ms of a second meanwhile, on the processor`)
  const [shown, stored] = [await shownTotal(page), await product.client.of(events).count()]
  console.log(`events that the screen counts: ${shown}; that the server stored: ${stored.count}`)

  /** Presents unknown cards at one door after another, at a constant rate; resolves when every reader has answered. */
  async function present(from: number, forS: number) {
    const began = performance.now()
    const presenting: Promise<unknown>[] = []
    for (let event = 0; event < perSecond * forS; event += 1) {
      await until(began + (event * 1_000) / perSecond)
      const place = places[event % places.length]
      if (!place) break
      const number = numberOf(from * perSecond + event)
      presenting.push(controllers.control.present(place.serial, { door: 1, number }))
    }
    await Promise.all(presenting)
  }
} finally {
  await browser.close()
  await controllers.stop()
  await product.stop()
}

/** From the click until the new screen's heading and its first row (or its empty state) are painted. */
async function changeScreens(page: Page) {
  const navigation = page.getByRole('navigation', { name: 'Main' })
  const times: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of screens) {
      const link = navigation.getByRole('link', { name, exact: true })
      const time = await link.evaluate(clickAndWait)
      // The first round warms the data and the chunks.
      if (round > 0) times.push(time)
    }
  }
  return times
}

/** Runs in the page: the milliseconds from the click to the first frame that shows the new screen with its content. */
function clickAndWait(link: Element): Promise<number> {
  const main = document.querySelector('main')
  const before = main?.querySelector('h1')?.textContent
  const { promise, resolve } = Promise.withResolvers<number>()
  const began = performance.now()
  if (link instanceof HTMLElement) link.click()
  function look() {
    const heading = main?.querySelector('h1')?.textContent
    const isThere =
      heading !== before && main?.querySelector('tbody tr, [role=row], h2') && !main.querySelector('[aria-busy=true]')
    if (isThere) return void requestAnimationFrame(() => resolve(performance.now() - began))
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
  return promise
}

/** The text below the list, once it no longer changes. */
async function shownTotal(page: Page) {
  const words = await page.locator('main footer span').first().textContent()
  return Number(/[\d,]+/.exec(words ?? '')?.[0].replaceAll(',', ''))
}

function numberOf(event: number) {
  return `7${String(event).padStart(7, '0')}`
}

/** Printed for comparison, without a limit: the speed of the machine itself. */
function report(what: string, { values, limitMs }: { values: readonly number[]; limitMs?: number }) {
  const figures = `p50 ${at(values, 0.5).toFixed(0)} ms, p99 ${at(values, 0.99).toFixed(0)} ms, most ${at(values, 1).toFixed(0)} ms`
  const limit = limitMs === undefined ? '' : `; limit at p99 ${limitMs} ms`
  console.log(`${what}: ${figures} (${values.length} measured${limit})`)
}

function at(values: readonly number[], share: number) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

function nothing() {
  return until(performance.now() + quietS * 1_000)
}
