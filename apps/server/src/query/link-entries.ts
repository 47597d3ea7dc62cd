import { z } from 'zod'
import type { LinkMeta } from './columns.ts'

const ids = z.array(z.uuid())
const subjects = z.array(z.object({ kind: z.string(), id: z.uuid() }))

/** The field under which members of groups are kept; `linksBack` reads the same rows from the other end. */
export const memberField = 'members'

/** The targets of a link field, in either shape of the document. */
export function linkEntries(meta: LinkMeta, value: unknown) {
  if (meta.shape === 'ids') {
    const [target] = meta.of
    return target ? ids.parse(value).map((id) => ({ ...target, id })) : []
  }
  return subjects.parse(value).flatMap(({ kind, id }) => {
    const target = meta.of.find((each) => each.kind === kind)
    return target ? [{ ...target, id }] : []
  })
}
