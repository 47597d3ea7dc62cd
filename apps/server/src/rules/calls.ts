import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'
import type { ServeCall } from '../http/serve-call.ts'
import type { PreviewChange } from '../preview/preview-change.ts'
import { registerAccessMatrix } from './access-matrix.ts'
import { registerBatchRules } from './batch-update.ts'

type RuleCallsOptions = Pick<ServeCall, 'serveCall' | 'serveProvenCall'> & {
  database: Database
  previewChange: PreviewChange
}

/** Many rules at once, and the rules between groups and doors. */
export function registerRuleCalls(app: FastifyInstance, options: RuleCallsOptions) {
  registerBatchRules(app, options)
  registerAccessMatrix(app, options)
}
