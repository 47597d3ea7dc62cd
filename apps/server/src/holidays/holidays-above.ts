import { holidaysAbove, maxHolidaysAbove } from '@portcullis/contract/calls/holidays-above'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors/app-error.ts'
import type { ServeCall } from '../http/serve-call.ts'
import type { Policies } from '../policy/policies.ts'

type Options = Pick<ServeCall, 'serveCall'> & { policies: Policies; now: () => number }

/** Days end up to 14 hours later elsewhere than in UTC. */
const pastMs = 2 * 86_400_000

/** The holidays that accounts above set, by the policy in memory: the database shows a request no items of these accounts. */
export function registerHolidaysAbove(app: FastifyInstance, { policies, serveCall, now }: Options) {
  serveCall(app, holidaysAbove, async ({ access: { account }, query }) => {
    const { index } = await policies.latestOfAccount(account.key)
    const site = query.site === undefined ? undefined : index.sites.get(query.site)
    if (query.site !== undefined && site?.account !== account._id)
      throw new AppError('not_found', { collection: 'sites' })
    const above = new Set(index.lineageOf(account._id).slice(1))
    const earliest = new Date(now() - pastMs).toISOString().slice(0, 10)
    const holidays = [...index.holidays.values()]
      .filter((each) => above.has(each.account))
      .filter(({ calendar }) => calendar === null || site === undefined || site.calendars.includes(calendar))
      .map(({ kind, dates }) => ({ kind, dates: dates.filter((each) => each.recurring || each.until >= earliest) }))
      .filter(({ dates }) => dates.length > 0)
    return { holidays: holidays.slice(0, maxHolidaysAbove) }
  })
}
