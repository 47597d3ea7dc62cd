import { inject } from 'vitest'
import { startOwnServer } from '@portcullis/server/test-server'
import { routesOf } from './document-routes.ts'
import { eighths, type Form } from './plan-cells.ts'
import { makeSend } from './send.ts'
import type { Tally } from './tally.ts'
import { buildWorld } from './world.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** How much of the matrix is tried: a sample with every run, all of it now and then. */
    matrixForm: Form
    /** Which part of its routes, of how many parts; all of them are the first of one. */
    matrixPart: { at: number; of: number }
    /** Which eighth of the fixed form's cells the sampled form tries. */
    matrixEighth: number
  }
}

const { at, of } = inject('matrixPart')
export const isWhole = of === 1
export const form = inject('matrixForm')
export const eighth = inject('matrixEighth')
/** What is tried, for the printed counts. */
export const formTitle = form === 'sampled' ? `eighth ${eighth + 1} of ${eighths} of the fixed form` : form

/** Far longer than a run takes on a busy machine: the limit only ends one that hangs. */
export const patienceMs = { sampled: 1_800_000, fixed: 7_200_000, full: 28_800_000 } as const

/** A server, the accounts of the matrix in it, every route in its document, and those of the part that is tried. */
export async function openMatrix() {
  const server = await startOwnServer()
  const { send, close } = makeSend(server.url)
  const document = await send({ method: 'GET', path: '/api/openapi.json', headers: [] })
  const routes = routesOf(JSON.parse(document.text))
  const world = await buildWorld(server)
  return {
    server,
    world,
    send,
    routes,
    routesOfPart: routes.filter((_route, index) => index % of === at - 1),
    async stop() {
      close()
      await server.stop()
    },
  }
}

/** What was found, in words, each kind of thing a few times only. */
export function told(findings: Tally['findings']) {
  return findings.slice(0, 40).map(({ kind, where, what }) => `${kind}: ${where}: ${what}`)
}
