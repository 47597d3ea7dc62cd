import type { Route } from './document-routes.ts'
import type { Finding } from './judge-answer.ts'
import { type Place, places, treeBelow } from './places.ts'
import { type Cell, type Form, type Locks, planCells } from './plan-cells.ts'
import type { Recipe } from './probe.ts'
import { recipeOf } from './recipe-of.ts'
import { makeRunCell, type Result } from './run-cell.ts'
import type { Send } from './send.ts'
import { MatrixReport } from './matrix-report.ts'
import { differences, makeWatch } from './watched-rows.ts'
import type { World } from './world.ts'

type Run = {
  title: string
  world: World
  send: Send
  routes: readonly Route[]
  form: Form
  /** The eighth that the sampled form runs. */
  eighth?: number
  locks: Locks
}

const atOnce = 8

/**
 * Runs and counts all cells while watching every account's rows: first reads without effect, then reads recorded in the
 * audit log, then writes, route by route.
 */
export async function runMatrix({ title, world, send, routes, form, eighth = 0, locks }: Run): Promise<MatrixReport> {
  const report = new MatrixReport(title)
  const watchedRows = await makeWatch(world.server.database)
  const placeOfKey = new Map(places.map((place) => [world.keyOf(place), place]))
  let rows = await watchedRows()
  const plans = routes.map((route) => {
    const recipe = recipeOf(route, world)
    return { route, recipe, cells: planCells({ world, route, recipe, form, eighth, locks }) }
  })

  const leavesNothing = ({ recipe }: { recipe: Recipe }) => recipe.isRead && recipe.changes === undefined
  const [reads, rest] = [plans.filter(leavesNothing), plans.filter((plan) => !leavesNothing(plan))]
  for (const { cells } of reads) await runGroup(cells, { limit: atOnce })
  await watch('what only reads', undefined)
  for (const { route, recipe, cells } of rest.toSorted((a, b) => Number(b.recipe.isRead) - Number(a.recipe.isRead))) {
    for (const [changing, group] of Map.groupBy(cells, changedPlace)) {
      await runGroup(group, { limit: changing === undefined || recipe.needsNewUser ? atOnce : 1 })
      await watch(`${route.name} in ${changing ?? 'no account'}`, changing)
      if (changing === undefined || !recipe.isRead) continue
      await world.forgetExports(changing)
      rows = await watchedRows()
    }
  }
  return report

  async function runGroup(cells: readonly Cell[], { limit }: { limit: number }) {
    const runCell = makeRunCell({ world, send })
    const results = new Map<Cell, Result>()
    const queue = cells.values()
    await Promise.all(
      Array.from({ length: limit }, async () => {
        for (const cell of queue) results.set(cell, await runCell(cell))
      }),
    )
    const absent = new Map(
      [...results].flatMap((each) => (each[0].target === 'absent' ? [[keyOf(each[0]), each]] : [])),
    )
    for (const [cell, { findings, bare, comparisons }] of results) {
      const twin = twinAmong(absent, cell)
      const allFindings = twin && twin.bare !== bare ? [...findings, distinguished(cell)] : findings
      report.comparisons += comparisons + (twin ? 1 : 0)
      const { kind, probe, persona, route } = cell
      const names = { headers: kind, placement: probe.placement, requester: persona.name, route: route.name }
      report.count(
        names,
        allFindings.map((finding) => ({ ...finding, where: wordsFor(cell) })),
      )
    }
  }

  /** Reports changed rows outside the expected account. Accounts unknown to the matrix were created by it. */
  async function watch(where: string, changing: Place | undefined) {
    const after = await watchedRows()
    for (const { table, account } of differences(rows, after)) {
      const place = placeOfKey.get(account)
      if (place === undefined || place === changing) continue
      report.add([{ kind: 'outside change', where, what: `rows of ${table} of ${place} have changed` }])
    }
    rows = after
  }
}

/** The account whose rows a cell is expected to change, if any. */
function changedPlace({ expected, recipe, probe, context, entry }: Cell): Place | undefined {
  if (expected.status >= 300) return undefined
  if (probe.changes) return probe.changes
  const { changes = recipe.isRead ? undefined : 'account' } = recipe
  if (changes !== 'account') return changes
  return entry.is === 'in' ? context.account : undefined
}

/** The same persona's answer to the same probe in an absent account, if the cell's account is out of scope. */
function twinAmong(absent: ReadonlyMap<string, readonly [Cell, Result]>, cell: Cell) {
  if (!isForeign(cell)) return undefined
  const [twin, result] = absent.get(keyOf(cell)) ?? []
  return twin?.expected.status === cell.expected.status ? result : undefined
}

function distinguished({ target }: Cell): Finding {
  return { kind: 'distinguishable', what: `the accounts ${target} and absent are answered differently` }
}

function isForeign({ persona: { rights }, target }: Cell) {
  if (rights === 'hyper' || target === 'absent') return false
  return rights === undefined || !treeBelow('own').has(target)
}

/** Equal for cells that differ only in their account. */
function keyOf({ route, persona, kind, variant, recipe, probe }: Cell) {
  return [route.name, persona.name, kind, variant, recipe.probes.indexOf(probe)].join('|')
}

function wordsFor({ route, persona, kind, target, headers, probe }: Cell) {
  const lines = headers.lines.map(([name, value]) => `${name}: ${value}`).join('; ')
  const aimed = probe.target === undefined ? '' : ` of ${probe.target}`
  return `${route.name} by ${persona.name}, ${kind} ${target} (${lines}), ${probe.placement} ${probe.what}${aimed}`
}
