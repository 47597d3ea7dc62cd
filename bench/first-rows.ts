import { chromium, type Locator, type Page } from '@playwright/test'
import { z } from 'zod'
import { fillIn } from '../e2e/sign-in.ts'
import { browserFlags, findBrowser } from '../scripts/find-browser.ts'
import { median } from './median.ts'

/**
 * Measures the time from a click on an entry of the sidebar, or on a tab of its screen, to the first rows of the list. It
 * uses a real browser and a running server, such as `npm run demo:large`. Without an account it uses the user's first one.
 *   node bench/first-rows.ts http://localhost:3000 email password [account [rounds]]
 */
const [url, email, password, account = 'null', count = '5'] = process.argv.slice(2)
if (!url || !email || !password) {
  console.log('Usage: node bench/first-rows.ts http://localhost:3000 email password [account [rounds]]')
  process.exit(1)
}
const limitMs = 300
const counted = z.object({ page: z.object({ totalElements: z.int() }) })
const rounds = Number(count)

const browser = await chromium.launch({
  executablePath: findBrowser((sentence) => console.log(sentence)),
  args: browserFlags(),
})
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${url}/authentication/login`)
  await fillIn(page, { email, password })
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  const tabs = page.getByRole('main').getByRole('navigation').getByRole('link')
  await links.first().waitFor()
  await page.goto(`${url}/${account}/sites/list`)
  await links.first().waitFor()
  const names = await links.allTextContents()
  const times = new Map<string, number[]>()
  for (let round = 0; round <= rounds; round += 1) {
    // Clears the cached data of earlier rounds, so that every click sends a request.
    await page.reload()
    await links.first().waitFor()
    for (const name of names) {
      await take(name, links.getByText(name, { exact: true }))
      const tabNames = await tabs.allTextContents()
      for (const tab of tabNames.slice(1)) await take(`  ${tab}`, tabs.getByText(tab, { exact: true }))
    }

    async function take(name: string, link: Locator) {
      if (times.get(name)?.includes(Number.POSITIVE_INFINITY)) return
      const time = await link.evaluate(clickUntilRows)
      // The first round loads the chunks of the screens.
      if (round > 0) times.set(name, [...(times.get(name) ?? []), time])
    }
  }
  console.log(`from the click to the first rows, ${rounds} times each, over ${await size(page)}:`)
  for (const [name, measured] of times) {
    const most = Math.max(...measured)
    if (most === Number.POSITIVE_INFINITY) {
      console.log(`  ${name.padEnd(20)} has no list`)
      continue
    }
    const verdict = most <= limitMs ? 'met' : 'MISSED'
    console.log(
      `  ${name.padEnd(20)} p50 ${median(measured).toFixed(0)} ms, most ${most.toFixed(0)} ms (limit ${limitMs}: ${verdict})`,
    )
  }
} finally {
  await browser.close()
}

/**
 * Runs in the page: the milliseconds from the click to the first frame with rows of the new list, or with its empty state.
 * Infinite after ten seconds.
 */
function clickUntilRows(entry: Element): Promise<number> {
  const main = document.querySelector('main')
  const list = () => main?.querySelector('[aria-busy]')
  const { promise, resolve } = Promise.withResolvers<number>()
  const link = entry.closest('a')
  const before = link?.getAttribute('aria-current') === 'page' ? undefined : list()
  const began = performance.now()
  link?.click()
  function look() {
    if (performance.now() - began > 10_000) return resolve(Number.POSITIVE_INFINITY)
    const now = list()
    const row = now?.querySelector('tbody tr')
    const isThere = now && now !== before && now.getAttribute('aria-busy') === 'false' && row?.textContent !== ''
    if (isThere) return void requestAnimationFrame(() => resolve(performance.now() - began))
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
  return promise
}

async function size(page: Page) {
  const counts = await page.evaluate(async () => {
    const ask = async (name: string) => {
      const account = location.pathname.split('/')[1] ?? 'null'
      const answer = await fetch(`/api/${name}?size=1`, { headers: { 'x-js-account': account } })
      return [name, await answer.text()] as const
    }
    return Promise.all(['doors', 'users', 'events'].map(ask))
  })
  return counts.map(([name, text]) => `${counted.parse(JSON.parse(text)).page.totalElements} ${name}`).join(', ')
}
