import sql from 'sql-template-tag'
import type { ServerHalf } from '../collections/server-half.ts'
import { AppError } from '../errors/app-error.ts'

/** A door that is part of an interlock stays with the unit that keeps it. */
export const doorsHalf: ServerHalf = {
  async beforePatch({ tx }, { before, changes }) {
    const { unit } = changes
    if (unit === undefined || unit === before['unit']) return {}
    const interlocks = await tx.run(
      sql`select from link join interlocking_group on interlocking_group_id = link_owner
           where link_target = ${before['_id']}::uuid and link_field = 'doors'`,
    )
    if (interlocks === 0) return {}
    throw new AppError('door_in_interlock', {}, { at: ['unit'] })
  },
}
