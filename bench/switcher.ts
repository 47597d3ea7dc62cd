import { chromium, type Page } from '@playwright/test'
import { startProduct } from '../e2e/product.ts'
import { signIn } from '../e2e/sign-in.ts'
import { browserFlags, findBrowser } from '../scripts/find-browser.ts'

/**
 * How the account switcher feels with many accounts, in a real browser: from the press of its button, and from each key stroke,
 * to the frame that shows what it did. The console is asked to show accounts that this script makes up.
 *   node bench/switcher.ts [accounts]
 */
const count = Number(process.argv[2] ?? 10_000)
const rounds = 15
const words = 'branch 7'

type Node = { _id: string; ref: string; name: string; status: string; children: Node[] }

const product = await startProduct({ demonstration: 'off' })
const browser = await chromium.launch({
  executablePath: findBrowser((sentence) => console.log(sentence)),
  args: browserFlags(),
})
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.route('**/api/accounts/hierarchy', (route) => route.fulfill({ json: manyAccounts() }))
  await signIn(page, product.url)
  const { opening, typing, moving } = await measure(page)
  report(`opening with ${count} accounts`, { values: opening, limitMs: 100 })
  report('a key stroke in the search', { values: typing, limitMs: 50 })
  report('an arrow key', { values: moving, limitMs: 50 })
} finally {
  await browser.close()
  await product.stop()
}

async function measure(page: Page) {
  const times: Record<'opening' | 'typing' | 'moving', number[]> = { opening: [], typing: [], moving: [] }
  const button = page.getByRole('button', { name: 'Switch account' })
  const search = page.getByRole('combobox', { name: 'Search accounts' })
  const option = page.getByRole('option').first()
  await watchFrames(page)
  // The first time fetches the accounts.
  await button.click()
  await option.waitFor()
  await page.keyboard.press('Escape')
  for (let round = 0; round < rounds; round += 1) {
    await button.focus()
    times.opening.push(await timeOf(page, 'Enter'))
    await option.waitFor()
    for (const letter of words) times.typing.push(await timeOf(page, letter === ' ' ? 'Space' : letter))
    for (const key of ['ArrowDown', 'End', 'Home', 'ArrowUp']) times.moving.push(await timeOf(page, key))
    await page.keyboard.press('Escape')
    await search.waitFor({ state: 'hidden' })
  }
  return times
}

/** Notes for each key how long it takes from the browser's own time of the press to the frame after it was worked on. */
async function watchFrames(page: Page) {
  await page.evaluate(() => {
    window.addEventListener(
      'keydown',
      ({ timeStamp }) =>
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel()
          port1.addEventListener('message', () => {
            document.documentElement.dataset['keyMs'] = String(performance.now() - timeStamp)
          })
          port1.start()
          port2.postMessage(undefined)
        }),
      { capture: true },
    )
  })
}

async function timeOf(page: Page, key: string) {
  await page.evaluate(() => delete document.documentElement.dataset['keyMs'])
  await page.keyboard.press(key)
  const told = await page.waitForFunction(() => document.documentElement.dataset['keyMs'])
  return Number(await told.jsonValue())
}

/** A tree as an installer's book of customers has it: ten regions, customers in them, branches of each customer. */
function manyAccounts(): Node[] {
  let made = 0
  const make = (name: string, children: Node[]): Node => {
    made += 1
    const _id = `0190f5a0-0000-7000-8000-${made.toString().padStart(12, '0')}`
    return { _id, ref: `account-${made}`, name, status: 'active', children }
  }
  const branches = Math.floor((count - 11) / 10 / 10) - 1
  const regions = Array.from({ length: 10 }, (_, region) =>
    make(
      `Region ${region}`,
      Array.from({ length: 10 }, (__, customer) =>
        make(
          `Customer ${region}-${customer}`,
          Array.from({ length: branches }, (___, branch) => make(`Branch ${branch} of ${region}-${customer}`, [])),
        ),
      ),
    ),
  )
  return [make('All users', regions)]
}

function report(what: string, { values, limitMs }: { values: readonly number[]; limitMs: number }) {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1)
  console.log(
    `${what}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms (limit ${limitMs}), ${values.length} times`,
  )
}
