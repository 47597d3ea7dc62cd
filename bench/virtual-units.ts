import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { doors } from '@portcullis/contract/collections/doors'
import { units } from '@portcullis/contract/collections/units'
import { z } from 'zod'
import { startControllers, startProduct } from '../e2e/product.ts'
import { makeSmallSite } from '../e2e/small-site.ts'
import { median, quantile } from './median.ts'
import { processMs } from './processor-time.ts'

/**
 * Measures many virtual controllers in one process, connected to a real server: memory, processor time at rest and while
 * cards are presented, and the time to a decision. Each has one door; only Linux shows the figures of the process.
 *   npm run bench:virtual -- [controllers] [cards a second] [seconds]
 */
const [count = 300, perSecond = 50, seconds = 30] = z
  .array(z.coerce.number().int().positive())
  .parse(process.argv.slice(2))

const product = await startProduct({ demonstration: 'off' })
const controllers = await startControllers(product)
try {
  const { control, pid } = controllers
  console.log(`no controller: ${await megabytes(pid)} MB`)
  const { site, number } = await makeSmallSite({ ...product, control, serial: 'B-1' })
  const serials = ['B-1']
  for (let each = 2; each <= count; each += 1) {
    const serial = `B-${each}`
    const unit = await product.client.of(units).create({ name: serial, serial, site: site._id })
    await product.client.of(doors).create({ name: serial, site: site._id, unit: unit._id, unitDoor: 1 })
    await control.add({ serial, code: (await product.client.enrolUnit(unit._id)).code })
    serials.push(serial)
  }
  while ((await control.list()).some(({ running }) => running?.appliedVersion === null)) await delay(200)
  await report(`${count} controllers at rest`, () => delay(seconds * 1_000))

  const waits: number[] = []
  await report(`${count} controllers, ${perSecond} cards a second`, async () => {
    const began = performance.now()
    const presenting = Array.from({ length: perSecond * seconds }, async (_, card) => {
      await delay((card * 1_000) / perSecond)
      const since = performance.now()
      await control.present(serials[card % count] ?? 'B-1', { door: 1, number })
      waits.push(performance.now() - since)
    })
    await Promise.all(presenting)
    await delay(Math.max(0, began + seconds * 1_000 - performance.now()))
  })
  console.log(`decision on disk: p50 ${median(waits).toFixed(1)} ms, p99 ${quantile(waits, 0.99).toFixed(1)} ms`)
  const online = (await control.list()).filter(({ running }) => running?.isOnline).length
  console.log(`${online} of ${count} online at the end`)
} finally {
  await controllers.stop()
  await product.stop()
}

async function report(what: string, work: () => Promise<void>) {
  const { pid } = controllers
  const [before, began] = [await processMs(pid), performance.now()]
  await work()
  const share = ((await processMs(pid)) - before) / (performance.now() - began)
  console.log(`${what}: ${await megabytes(pid)} MB, ${(share * 100).toFixed(1)} % of a processor`)
}

async function megabytes(pid: number) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/VmRSS:\s*(\d+)/.exec(status)?.[1]) / 1_024)
}
