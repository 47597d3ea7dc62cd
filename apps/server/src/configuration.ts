import { brandOf } from '@portcullis/contract/brands'
import type { Configuration } from '@portcullis/contract/calls/configuration'
import { administrationEventTypes, allEventTypes, eventTypes } from '@portcullis/contract/event-types'
import type { FastifyInstance } from 'fastify'
import manifest from '../package.json' with { type: 'json' }
import { policyUpdated } from './policies/policies.ts'
import { contact } from './policies/contact.ts'
import { differsByHost } from './http/differs-by-host.ts'

/** `GET /config`: what the browser must know at its start (specification §3 and §7). */
export function registerConfiguration(app: FastifyInstance, { authProvider }: { authProvider: 'local' | 'cognito' }) {
  app.get('/config', async (request, reply): Promise<Configuration> => {
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
