import { z } from 'zod'
import { brandKeys } from '../brands.ts'
import { defineCall, schemaNames } from '../call.ts'

const policyDates = z.object({
  eula: z.iso.datetime(),
  privacy: z.iso.datetime(),
  terms: z.iso.datetime(),
  disclaimer: z.iso.datetime(),
})

/** The data that a browser needs before sign-in (specification §3), without secrets. */
export const configuration = z
  .object({
    authenticationProvider: z.enum(['local', 'cognito']),
    cognitoTenants: z.array(z.object({ name: z.string(), provider: z.string() })),
    version: z.string(),
    /** The brand of the host in the request. */
    brand: z.object({ key: z.enum(brandKeys), product: z.string() }),
    contact: z.string(),
    recertification: z.object({ enabled: z.boolean() }),
    policyUpdated: policyDates,
    AllEventTypes: z.array(z.string()),
    AuditEventTypes: z.array(z.string()),
    EventTypes: z.array(z.string()),
  })
  .register(schemaNames, { id: 'Configuration' })

export type Configuration = z.output<typeof configuration>

export const readConfiguration = defineCall({
  id: 'configuration',
  method: 'GET',
  path: '/config',
  tag: 'server',
  summary: 'Get what a browser needs before sign-in',
  access: 'none',
  output: configuration,
  returns: 'The configuration.',
})
