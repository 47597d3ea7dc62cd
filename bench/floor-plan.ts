import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { doors } from '@portcullis/contract/collections/doors'
import { floorPlans } from '@portcullis/contract/collections/floor-plans'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { startControllers, startProduct } from '../e2e/product.ts'
import { signInByCall } from '../e2e/sign-in.ts'
import { administrator } from '../e2e/administrator.ts'
import { browserFlags, findBrowser } from '../scripts/find-browser.ts'
import { quantile } from './median.ts'
import { type Frames, framesOf, until, workOf } from './page-frames.ts'

/**
 * Measures the frames and long tasks of a floor plan in a real browser while its doors change. Virtual controllers report
 * that doors are forced and closed; server, database, controllers and browser share the machine. An empty page beside the
 * same events is printed for comparison.
 *   node bench/floor-plan.ts [doors] [events a second] [seconds]
 */
const [doorCount = 300, perSecond = 50, seconds = 20] = process.argv.slice(2).map(Number)
const limitMs = 50
const doorsOfUnit = 20
const quietS = 5

const product = await startProduct({ demonstration: 'off' })
const controllers = await startControllers(product)
const browser = await chromium.launch({
  executablePath: findBrowser((sentence) => console.log(sentence)),
  args: browserFlags(),
})
try {
  const { site, wired } = await makeFloor()
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await signInByCall(context, { url: product.url, ...administrator })
  await context.addInitScript(() => localStorage.setItem('cookies', 'all'))
  const page = await context.newPage()
  await page.goto(`${product.url}/main/sites/${site}/floorPlans`)
  await page
    .getByRole('region', { name: 'Floor', exact: true })
    .getByRole('button')
    .nth(doorCount - 1)
    .waitFor()
  const blank = await context.newPage()
  let turn = 0

  console.log(`A floor plan with ${doorCount} doors, ${perSecond} changes a second for ${seconds} s:`)
  report('empty page, quiet', await framesOf(blank, () => until(performance.now() + quietS * 1_000)))
  report('empty page beside the changes', await framesOf(blank, change))
  await blank.close()
  report('floor plan, quiet', await framesOf(page, () => until(performance.now() + quietS * 1_000)))
  const worked = await workOf(page)
  report('floor plan that changes', await framesOf(page, change))
  const work = Object.entries(await worked()).map(([name, ms = 0]) => `${name} ${ms.toFixed(0)} ms`)
  console.log(`  processor time of the page meanwhile, of each second: ${work.join(', ')}`)
  const forced = await page.getByRole('region', { name: 'Floor', exact: true }).getByText('Forced').count()
  console.log(`markers that show a forced door at the end: ${forced}`)

  /** One door after another is forced, and closed in the next round. */
  async function change() {
    const began = performance.now()
    const operating: Promise<unknown>[] = []
    for (let event = 0; event < perSecond * seconds; event += 1) {
      await until(began + (event * 1_000) / perSecond)
      const door = wired[turn % wired.length]
      if (!door) break
      const what = Math.floor(turn / wired.length) % 2 === 0 ? 'forced' : 'closed'
      operating.push(controllers.control.operateDoor(door.serial, { door: door.number, what }))
      turn += 1
    }
    await Promise.all(operating)
  }
} finally {
  await browser.close()
  await controllers.stop()
  await product.stop()
}

/** A site with enrolled controllers, and a plan with all their doors in rows. */
async function makeFloor() {
  const { client } = product
  const { _id: site } = await client.of(sites).create({ name: 'Terminal', timeZone: 'UTC' })
  const wired: { serial: string; number: number; id: string }[] = []
  for (let unit = 1; wired.length < doorCount; unit += 1) {
    const serial = `F-${unit}`
    const { _id } = await client.of(units).create({ name: `Controller ${unit}`, serial, site })
    for (let number = 1; number <= doorsOfUnit && wired.length < doorCount; number += 1) {
      const name = `Door ${String(wired.length + 1).padStart(3, '0')}`
      const { _id: id } = await client.of(doors).create({ name, site, unit: _id, unitDoor: number })
      wired.push({ serial, number, id })
    }
    await controllers.control.add({ serial, code: (await client.enrolUnit(_id)).code })
    while ((await client.of(units).get(_id)).appliedVersion === null) await until(performance.now() + 100)
  }
  const perRow = Math.ceil(Math.sqrt(doorCount * 1.6))
  const rows = Math.ceil(doorCount / perRow)
  const plan = await client.of(floorPlans).create({
    name: 'Floor',
    site,
    placements: wired.map(({ id }, index) => ({
      kind: 'Door' as const,
      id,
      x: ((index % perRow) + 0.5) / perRow,
      y: (Math.floor(index / perRow) + 0.5) / rows,
    })),
  })
  const drawing = join(import.meta.dirname, '../apps/demonstration/src/world/cold-store-north.webp')
  await client.floorPlans.setImage(plan._id, new Blob([await readFile(drawing)]))
  return { site, wired }
}

function report(name: string, { frames, longTasks }: Frames) {
  const figures = [0.5, 0.99, 1].map((share) => `${quantile(frames, share).toFixed(0)} ms`.padStart(8))
  const over = frames.filter((frame) => frame > limitMs).length
  const longest =
    longTasks.length === 0 ? 'none' : `${longTasks.length}, longest ${Math.max(...longTasks).toFixed(0)} ms`
  console.log(
    `  ${name.padEnd(32)} p50${figures[0]}  p99${figures[1]}  most${figures[2]}  over ${limitMs} ms ${over} of ${frames.length}  long tasks ${longest}`,
  )
}
