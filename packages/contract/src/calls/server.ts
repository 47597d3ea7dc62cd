import { z } from 'zod'
import { defineCall } from '../call.ts'

export const readOpenApi = defineCall({
  id: 'openapi',
  method: 'GET',
  path: '/api/openapi.json',
  tag: 'server',
  summary: 'Get this document',
  access: 'none',
  output: z.record(z.string(), z.unknown()),
  returns: 'OpenAPI 3.1.',
})

export const checkLive = defineCall({
  id: 'live',
  method: 'GET',
  path: '/health/live',
  tag: 'server',
  summary: 'Check that the process is alive',
  access: 'none',
  output: z.object({ status: z.literal('live') }),
  returns: 'The process is alive.',
})

export const checkReady = defineCall({
  id: 'ready',
  method: 'GET',
  path: '/health/ready',
  tag: 'server',
  summary: 'Check that the server can serve requests',
  access: 'none',
  output: z.object({
    status: z.literal('ready'),
    controllersWithFault: z
      .int()
      .describe('Controllers without the current configuration: it cannot be made, or is not after 10 seconds.'),
    policiesToCompile: z
      .int()
      .describe('Account trees with a change that is not compiled yet. More than 0 for over a minute is a fault.'),
  }),
  returns: 'The server is ready: its database responds.',
})
