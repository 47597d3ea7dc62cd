import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { FuzzingOptions } from './all-attacks.ts'
import { type Attack, type Outcome, outcome } from './attack.ts'
import { startBystander } from './bystander.ts'
import type { Estate } from './estate.ts'
import { openMeasuring } from './measure-live.ts'
import { request } from './request.ts'
import type { ServerProcess } from './server-process.ts'
import { goals, type Row, verdictOf } from './verdict.ts'

type RunOptions = { server: ServerProcess; estate: Estate; fuzzing: FuzzingOptions; onRow: (row: Row) => void }

/** Runs attacks against the server, each beside a bystander, and judges their effects on others. */
export async function openArena({ server, estate, fuzzing, onRow }: RunOptions) {
  const measuring = await openMeasuring(server.url)
  const bystander = await startBystander(estate)
  const attackers = fork(join(import.meta.dirname, 'attacker-process.ts'))
  const idleMs = 4_000
  await delay(idleMs)
  bystander.report()
  const baseline = await settledMemory(server)
  const rows: Row[] = []
  return {
    rows,
    baseline,
    /** The figures while only the bystander works. */
    idle: () =>
      during({ name: 'none (only the bystander works)', sends: '' }, async () => {
        await delay(idleMs)
        return { happened: '', faults: [] }
      }),
    attack: (attack: Attack) => during(attack, () => runInProcess(attack)),
    during,
    async close() {
      await bystander.stop()
      attackers.disconnect()
      measuring.close()
    },
  }

  async function during({ name, sends }: Pick<Attack, 'name' | 'sends'>, run: () => Promise<Outcome>) {
    bystander.report()
    const before = await server.processorTimes()
    measuring.begin()
    const { happened, faults } = await run()
    const probed = await measuring.end()
    const processorShare = shareBetween(before, await server.processorTimes())
    const report = bystander.report()
    const row = await judge({ name, sends, happened, faults, probed, processorShare, report })
    rows.push(row)
    onRow(row)
  }

  async function judge(seen: Omit<Row, 'memory' | 'verdict'>): Promise<Row> {
    const healthFaults = await faultsOfServer(server)
    const memory = server.isRunning() ? await settledMemory(server, baseline.heap) : { resident: 0, heap: 0 }
    return verdictOf({ ...seen, faults: [...seen.faults, ...healthFaults], memory }, baseline)
  }

  async function runInProcess({ name }: Attack): Promise<Outcome> {
    const waiting = new AbortController()
    const answered = Promise.race([
      once(attackers, 'message', { signal: waiting.signal }),
      once(attackers, 'exit', { signal: waiting.signal }).then(() => {
        throw new Error('The process of the attackers has ended.')
      }),
    ]).finally(() => waiting.abort())
    attackers.send({ name, estate, fuzzing })
    return z
      .tuple([outcome])
      .rest(z.unknown())
      .parse(await answered)[0]
  }
}

/** The same process, still healthy, and without unhandled failures. */
async function faultsOfServer(server: ServerProcess) {
  if (!server.isRunning()) return [`the server has ended: ${server.log.slice(-5).join(' | ')}`]
  const { status } = await request({ url: server.url, path: '/health/ready' }).catch(() => ({ status: 0 }))
  const health = status === 200 ? [] : [`/health/ready answered ${status}`]
  const logged = server.newFaults()
  return [...health, ...logged.slice(0, 3).map((line) => `logged: ${line.slice(0, 300)}`)]
}

type ProcessorTimes = Awaited<ReturnType<ServerProcess['processorTimes']>>

/** Of the time in which the server had work, the share in which it had a processor. */
function shareBetween(before: ProcessorTimes, after: ProcessorTimes) {
  const [ran, waited] = [after.ran - before.ran, after.waited - before.waited]
  return ran > 0 ? ran / (ran + waited) : 1
}

const settleMs = 15_000
const stepMs = 1_000

/** Memory in use, once it is near its earlier value, or after 15 s. */
async function settledMemory(server: ServerProcess, before = 0) {
  const end = performance.now() + settleMs
  for (;;) {
    const memory = await server.memory()
    if (before === 0 || memory.heap - before < goals.growthBytes || performance.now() > end) return memory
    await delay(stepMs)
  }
}
