import type { Configuration } from '@portcullis/contract/calls/configuration'
import { administrationEventTypes, allEventTypes, eventTypes } from '@portcullis/contract/event-types'
import type { FastifyInstance } from 'fastify'
import manifest from '../../package.json' with { type: 'json' }

/** Dates of the legal texts (specification §1): consent must be later than these. */
const policyUpdated = {
  eula: '2025-03-14T00:00:00.000Z',
  privacy: '2021-06-24T00:00:00.000Z',
  terms: '2021-06-29T00:00:00.000Z',
  disclaimer: '2021-06-29T00:00:00.000Z',
} as const

/** `GET /config`: what the browser must know at its start (specification §3 and §7). */
export function registerConfiguration(app: FastifyInstance, { authProvider }: { authProvider: 'local' | 'cognito' }) {
  app.get('/config', async (): Promise<Configuration> => {
    return {
      authenticationProvider: authProvider,
      cognitoTenants: [],
      version: manifest.version,
      contact: 'mailto:support@portcullis.example',
      recertification: { enabled: false },
      policyUpdated,
      AllEventTypes: [...allEventTypes],
      AuditEventTypes: [...administrationEventTypes],
      EventTypes: [...eventTypes],
    }
  })
}
