import { openApiDocument } from '@portcullis/contract/openapi/document'
import { afterAll, expect, test } from 'vitest'
import { startTestServer } from '../../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

const { paths } = openApiDocument({ version: '1' })
const documented = Object.entries(paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
)

/** The page of the reference and its files are pages, not calls. */
const pages = ['GET /api/docs', 'GET /api/docs/reference.mjs', 'GET /api/docs/scalar.js']

test('the document lists every call that the server accepts, and the server accepts every call of the document', () => {
  const routes = routesOf(server.app.printRoutes({ commonPrefix: false }))
  const calls = routes.filter((route) => / \/(api|config|health)(\/|$)/.test(route) && !pages.includes(route))
  expect(calls.length).toBeGreaterThan(50)
  expect(documented.toSorted()).toEqual(calls.toSorted())
})

/** Reads the tree that the router prints: each line has its depth, a piece of the path, and the methods taken there. */
function routesOf(tree: string) {
  const pieces: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', piece = '', methods = ''] = /^([│ ]*)[├└]── (\S*)(?: \((.*)\))?$/.exec(line) ?? []
    if (piece === '') return []
    const depth = indent.length / 4
    pieces.splice(depth, pieces.length, piece)
    const path = pieces.join('').replaceAll(/:(\w+)/g, '{$1}')
    return methods
      .split(', ')
      .filter((method) => method !== '' && method !== 'HEAD')
      .map((method) => `${method} ${path}`)
  })
}
