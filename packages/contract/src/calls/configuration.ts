import { z } from 'zod'
import { brandKeys } from '../brands.ts'

const policyDates = z.object({
  eula: z.iso.datetime(),
  privacy: z.iso.datetime(),
  terms: z.iso.datetime(),
  disclaimer: z.iso.datetime(),
})

/** `GET /config`: what the browser must know before anybody has signed in (specification §3). No secrets. */
export const configuration = z.object({
  authenticationProvider: z.enum(['local', 'cognito']),
  cognitoTenants: z.array(z.object({ name: z.string(), provider: z.string() })),
  version: z.string(),
  /** That of the host that was asked. */
  brand: z.object({ key: z.enum(brandKeys), product: z.string() }),
  contact: z.string(),
  recertification: z.object({ enabled: z.boolean() }),
  policyUpdated: policyDates,
  AllEventTypes: z.array(z.string()),
  AuditEventTypes: z.array(z.string()),
  EventTypes: z.array(z.string()),
})

export type Configuration = z.output<typeof configuration>
