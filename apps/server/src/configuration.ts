import { brandOf } from '@portcullis/contract/brands'
import { readConfiguration } from '@portcullis/contract/calls/configuration'
import { administrationEventTypes, allEventTypes, eventTypes } from '@portcullis/contract/event-types'
import type { FastifyInstance } from 'fastify'
import manifest from '../package.json' with { type: 'json' }
import { policyUpdated } from './policies/policies.ts'
import { contact } from './policies/contact.ts'
import type { ServeCall } from './http/serve-call.ts'
import { differsByHost } from './http/differs-by-host.ts'

type Parts = Pick<ServeCall, 'serveCall'> & { authProvider: 'local' | 'cognito' }

/** What the browser needs at its start (specification §3 and §7). */
export function registerConfiguration(app: FastifyInstance, { serveCall, authProvider }: Parts) {
  serveCall(app, readConfiguration, async ({ request, reply }) => {
    const { key, product } = brandOf(request.headers.host)
    differsByHost(reply)
    return {
      authenticationProvider: authProvider,
      cognitoTenants: [],
      version: manifest.version,
      brand: { key, product },
      contact,
      recertification: { enabled: true },
      policyUpdated,
      AllEventTypes: [...allEventTypes],
      AuditEventTypes: [...administrationEventTypes],
      EventTypes: [...eventTypes],
    }
  })
}
