import { chromium, type Page } from '@playwright/test'
import { startControllers, startProduct } from '../e2e/product.ts'
import { signIn } from '../e2e/sign-in.ts'
import { makeSmallSite } from '../e2e/small-site.ts'
import { browserFlags, findBrowser } from '../scripts/find-browser.ts'
import { signInBytes } from '../scripts/sign-in-size.ts'

/**
 * How the console feels in a real browser on the same machine: what the sign-in page weighs, how long a screen takes to change
 * when its data is there already, and how long frames are while events arrive.
 *   node bench/console-speed.ts [events a second] [seconds]
 */
const perSecond = Number(process.argv[2] ?? 100)
const seconds = Number(process.argv[3] ?? 20)
const screens = ['Controllers', 'Manage Access', 'Manage Schedules', 'Sites']
const rounds = 5

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
  tell('screen change with warm data', { values: await changeScreens(page), limitMs: 100 })
  tell(`frame while ${perSecond} events a second arrive for ${seconds} s`, {
    values: await watchFrames(page),
    limitMs: 50,
  })

  async function watchFrames(shown: Page) {
    await shown.goto(`${product.url}/main/events/list`)
    await shown.getByText('Live', { exact: true }).first().waitFor()
    await shown.evaluate(beginFrames)
    const began = performance.now()
    const presenting: Promise<unknown>[] = []
    for (let event = 0; event < perSecond * seconds; event += 1) {
      await until(began + (event * 1_000) / perSecond)
      const place = places[event % places.length]
      if (!place) break
      presenting.push(
        controllers.control.present(place.serial, { door: 1, number: `7${String(event).padStart(7, '0')}` }),
      )
    }
    await Promise.all(presenting)
    const last = `7${String(perSecond * seconds - 1).padStart(7, '0')}`
    await shown.getByText(last).first().waitFor({ timeout: 15_000 })
    return shown.evaluate(endFrames)
  }
} finally {
  await browser.close()
  await controllers.stop()
  await product.stop()
}

/** From the click until the new screen's heading and its first row, or that there is none, are painted. */
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

/** Runs in the page: the milliseconds from the click to the first frame in which the new screen stands with its content. */
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

/** Runs in the page: marks every frame. */
function beginFrames() {
  performance.clearMarks()
  function frame() {
    performance.mark('frame')
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
}

/** Runs in the page: how long each frame took. */
function endFrames() {
  const at = performance.getEntriesByName('frame').map(({ startTime }) => startTime)
  return at.slice(1).map((time, index) => time - (at[index] ?? time))
}

function tell(what: string, { values, limitMs }: { values: readonly number[]; limitMs: number }) {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(0)
  const figures = `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms`
  console.log(`${what}: ${figures} (${sorted.length} measured; limit at p99 ${limitMs} ms)`)
}

/** The presenting has a rhythm of its own; this is the bench's clock, not a wait for something to happen. */
function until(at: number) {
  const { promise, resolve } = Promise.withResolvers<void>()
  setTimeout(resolve, Math.max(0, at - performance.now()))
  return promise
}
