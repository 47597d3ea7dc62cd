import { collections } from '@portcullis/contract/collections/registry'
import { afterAll, describe, expect, inject, test } from 'vitest'
import type { Route } from './document-routes.ts'
import { headerKinds } from './header-kinds.ts'
import { isWhole, openMatrix, patienceMs, told } from './open-matrix.ts'
import { placements } from './probe.ts'
import { recipeOf } from './recipe-of.ts'
import { runMatrix } from './run-matrix.ts'

const form = inject('matrixForm')
const { world, send, routes, stop } = await openMatrix()
afterAll(stop)

test(
  '§1 one visible set: nobody reads, changes or learns of what lies outside it, by any route, account, header or id',
  async () => {
    const title = `Permission matrix (${form}), ${routes.length} routes`
    const tally = await runMatrix({ title, world, send, routes, form, locks: 'both' })
    process.stdout.write(`${tally.toString()}\n`)
    expect(told(tally.crossings)).toEqual([])
    expect(told(tally.surprises)).toEqual([])
    expect(tally.cells).toBeGreaterThan(routes.length * world.personas.length * headerKinds.length)
    expect(tally.names('asker')).toEqual(world.personas.map(({ name }) => name))
    expect(tally.names('headers').toSorted()).toEqual([...headerKinds].toSorted())
    expect(tally.names('route').toSorted()).toEqual(routes.map(({ name }) => name).toSorted())
    if (!isWhole) return
    expect(tally.names('placement').toSorted()).toEqual([...placements].toSorted())
    expect(tally.comparisons).toBeGreaterThan(10_000)
  },
  patienceMs[form],
)

describe('the matrix grows with the document', () => {
  const route: Route = { name: '', method: 'GET', path: '', asks: 'account', isGuarded: false }

  test('a route that it does not know fails by its name', () => {
    for (const name of ['POST /api/gates', 'POST /api/sites/{id}/close', 'PUT /api/sites/{id}']) {
      const [method, path] = name.split(' ')
      const unknown = { ...route, name, path: path ?? '', method: method === 'PUT' ? 'PUT' : 'POST' } as const
      expect(() => recipeOf(unknown, world)).toThrow(`${name}: the matrix does not know this route`)
    }
  })

  test('every collection has items in every account, and every reference of theirs is followed', () => {
    const names = Object.keys(collections)
    const missing = names.filter((name) => world.rowsIn(name, new Set(['sibling'])).length === 0)
    expect(missing).toEqual([])
    const probes = recipeOf({ ...route, method: 'POST', name: 'POST /api/doors', path: '/api/doors' }, world).probes
    expect(new Set(probes.map(({ what }) => what))).toEqual(
      new Set([
        'an item',
        'account',
        '_id',
        ...['site', 'unit'].flatMap((field) => [field, `${field}, the id of a contact`]),
      ]),
    )
  })
})
