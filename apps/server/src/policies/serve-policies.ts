import { readdir } from 'node:fs/promises'
import { brandOf } from '@portcullis/contract/brands'
import type { FastifyInstance } from 'fastify'
import { differsByHost } from '../http/differs-by-host.ts'
import { type PolicyName, policies } from './policies.ts'
import { policyPage } from './policy-page.ts'

/** The legal pages at `/assets/policy/{name}` (specification §1 and §2), open to everybody, under the brand of the host. */
export function servePolicies(app: FastifyInstance) {
  app.get<{ Params: { name: string } }>('/assets/policy/:name', async (request, reply) => {
    const { name } = request.params
    if (!isPolicy(name)) return reply.callNotFound()
    return differsByHost(reply)
      .type('text/html; charset=utf-8')
      .send(policyPage({ name, brand: brandOf(request.headers.host), font: await consoleFont() }))
  })
}

function isPolicy(name: string): name is PolicyName {
  return Object.hasOwn(policies, name)
}

const assets = new URL('../../../console/dist/assets/', import.meta.url)

/** Where the console's letters are found, whose address changes with its build; undefined where it is not built. */
async function consoleFont(): Promise<string | undefined> {
  const names = await readdir(assets).catch(() => [])
  const name = names.find((each) => /^inter-latin-wght-normal-[\w-]+\.woff2$/.test(each))
  return name === undefined ? undefined : `/assets/${name}`
}
