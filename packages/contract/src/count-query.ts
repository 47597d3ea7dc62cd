import { z } from 'zod'
import { listQueryString } from './list-query.ts'

/** `GET /api/{collection}/count` takes the filter and the search of a list. */
export const countQueryString = listQueryString.pick({ filter: true, search: true })

/** `exact` is false if the count is only a lower bound, because counting further would cost too much. */
export const counted = z.object({ count: z.int(), exact: z.boolean() })
