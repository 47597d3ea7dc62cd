import { inject } from 'vitest'
import { startOwnServer } from '@portcullis/server/test-server'
import { routesOf } from './document-routes.ts'
import { eighths, type Form } from './plan-cells.ts'
import { makeSend } from './send.ts'
import type { MatrixReport } from './matrix-report.ts'
import { buildWorld } from './world.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** How much of the matrix runs: a sample in every test run, or all of it with `npm run matrix`. */
    matrixForm: Form
    /** The part of the routes to run, and the number of parts; 1 of 1 is all routes. */
    matrixPart: { at: number; of: number }
    /** The eighth of the fixed form's cells that the sampled form runs. */
    matrixEighth: number
  }
}

const { at, of } = inject('matrixPart')
export const isWhole = of === 1
export const form = inject('matrixForm')
export const eighth = inject('matrixEighth')
/** The form, for the printed counts. */
export const formTitle = form === 'sampled' ? `eighth ${eighth + 1} of ${eighths} of the fixed form` : form

/** Far longer than a run takes on a busy machine: the limit only ends a run that hangs. */
export const patienceMs = { sampled: 1_800_000, fixed: 7_200_000, full: 28_800_000 } as const

/** A server with the accounts of the matrix, every route of its document, and the routes of the part that runs. */
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

/** Descriptions of at most 40 findings. */
export function describeFindings(findings: MatrixReport['findings']) {
  return findings.slice(0, 40).map(({ kind, where, what }) => `${kind}: ${where}: ${what}`)
}
