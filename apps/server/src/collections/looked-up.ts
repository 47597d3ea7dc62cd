import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import type { Database } from '../database/database.ts'
import type { CollectionHooks } from './collection-hooks.ts'

type LookedUpInput = { access: Access; hooks: CollectionHooks; query: unknown }

const texts = z.looseObject({ filter: z.string().optional(), search: z.string().optional() })
const values = z.looseObject({ filter: z.unknown(), search: z.string().optional() })

/** A query string with stored values in its filter and search; unreadable parts stay, and are refused later. */
export async function lookedUp(database: Database, { access, hooks, query }: LookedUpInput): Promise<unknown> {
  const read = texts.safeParse(query)
  if (!hooks.lookUp || !read.success) return query
  const { filter, ...rest } = read.data
  const parsed = filter === undefined ? {} : jsonOf(filter)
  if (parsed === undefined) return query
  const body = await lookedUpBody(database, { access, hooks, body: { ...rest, filter: parsed } })
  const found = values.parse(body)
  if (found.filter === parsed && found.search === rest.search) return query
  return { ...found, filter: JSON.stringify(found.filter) }
}

/** The same for a body, whose filter is not JSON text. */
export async function lookedUpBody(
  database: Database,
  { access, hooks, body }: Omit<LookedUpInput, 'query'> & { body: unknown },
): Promise<unknown> {
  const read = values.safeParse(body)
  if (!hooks.lookUp || !read.success) return body
  const given = { filter: read.data.filter ?? {}, search: read.data.search?.trim() ?? '' }
  const found = await hooks.lookUp(database, { access, given })
  if (found === given) return body
  const { search: _replaced, ...rest } = read.data
  return { ...rest, filter: found.filter, ...(found.search === '' ? {} : { search: found.search }) }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
