import { collections } from '@portcullis/contract/collections/registry'
import { afterAll, describe, expect, test } from 'vitest'
import type { Route } from './document-routes.ts'
import { headerKinds } from './header-kinds.ts'
import { eighth, form, formTitle, isWhole, openMatrix, patienceMs, describeFindings } from './open-matrix.ts'
import { headerTargets } from './places.ts'
import { eighths, planCells, type Planning } from './plan-cells.ts'
import { placements } from './probe.ts'
import { recipeOf } from './recipe-of.ts'
import { runMatrix } from './run-matrix.ts'

const { world, send, routesOfPart: routes, stop } = await openMatrix()
afterAll(stop)

test(
  '§1 one visible set: no user reads, changes or detects items outside it, by any route, account, header or id',
  async () => {
    const title = `Permission matrix (${formTitle}), ${routes.length} routes`
    const report = await runMatrix({ title, world, send, routes, form, eighth, locks: 'both' })
    process.stdout.write(`${report.toString()}\n`)
    expect(describeFindings(report.crossings)).toEqual([])
    expect(describeFindings(report.surprises)).toEqual([])
    const kindsOfEach = form === 'sampled' ? 1 : headerKinds.length
    const fewestCells = routes.length * world.personas.length * kindsOfEach * headerTargets.length
    expect(report.cells).toBeGreaterThanOrEqual(fewestCells)
    expect(report.names('requester').toSorted()).toEqual(world.personas.map(({ name }) => name).toSorted())
    expect(report.names('headers').toSorted()).toEqual([...headerKinds].toSorted())
    expect(report.names('route').toSorted()).toEqual(routes.map(({ name }) => name).toSorted())
    if (!isWhole) return
    expect(report.names('placement').toSorted()).toEqual([...placements].toSorted())
    expect(report.comparisons).toBeGreaterThan(form === 'sampled' ? 4_000 : 30_000)
  },
  patienceMs[form],
)

describe('the sampled form', () => {
  test.each([
    ['both', 1],
    ['row security', 5],
    ['filter', 5],
  ] as const)('covers each cell of the fixed form exactly once in eight runs: locks %s', (locks, stride) => {
    for (const route of routes.filter((_route, index) => index % stride === 0)) {
      const recipe = recipeOf(route, world)
      const numbers = new Map(recipe.probes.map((probe, number) => [probe, number]))
      const cells = (planned: Pick<Planning, 'form' | 'eighth'>) =>
        planCells({ world, route, recipe, locks, ...planned }).map(({ persona, kind, target, variant, probe }) =>
          [persona.name, kind, target, variant, numbers.get(probe)].join('|'),
        )
      const parts = Array.from({ length: eighths }, (_, eighth) => cells({ form: 'sampled', eighth }))
      const fixed = cells({ form: 'fixed', eighth: 0 })
      expect(new Set(fixed).size).toBe(fixed.length)
      expect(parts.flat().toSorted()).toEqual(fixed.toSorted())
    }
  })
})

describe('the matrix covers new routes and collections', () => {
  const route: Route = { name: '', method: 'GET', path: '', requires: 'account', isGuarded: false }

  test('an unknown route fails with an error that names it', () => {
    for (const name of ['POST /api/gates', 'POST /api/sites/{id}/close', 'PUT /api/sites/{id}']) {
      const [method, path] = name.split(' ')
      const unknown = { ...route, name, path: path ?? '', method: method === 'PUT' ? 'PUT' : 'POST' } as const
      expect(() => recipeOf(unknown, world)).toThrow(`${name}: the matrix does not know this route`)
    }
  })

  test('every collection has items in an account, and the probes of doors cover each of their references', () => {
    const names = Object.keys(collections)
    const missing = names.filter((name) => world.rowsIn(name, new Set(['sibling'])).length === 0)
    expect(missing).toEqual([])
    const probes = recipeOf({ ...route, method: 'POST', name: 'POST /api/doors', path: '/api/doors' }, world).probes
    expect(new Set(probes.map(({ what }) => what))).toEqual(
      new Set([
        'an item',
        'account',
        '_id',
        ...['site', 'unit', 'firstPersonGroup', 'unlockSchedule'].flatMap((field) => [
          field,
          `${field}, the id of a contact`,
        ]),
      ]),
    )
  })
})
