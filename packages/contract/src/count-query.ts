import { z } from 'zod'
import { listQueryString } from './list-query.ts'

/** `GET /api/{collection}/count` takes the filter and the search of a list. */
export const countQueryString = listQueryString.pick({ filter: true, search: true })

/** `exact` is false where the count is a bound, because counting on would cost more than it tells. */
export const counted = z.object({ count: z.int(), exact: z.boolean() })
