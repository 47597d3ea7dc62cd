import type { LinkMeta } from '../query/columns.ts'
import { linkEntries } from '../query/link-entries.ts'

type Values = { was: unknown; left: unknown; is: unknown }

/**
 * A list of members, groups or subjects without what one change did to it: what came goes, what went comes back, and what
 * others have changed besides stays. Nothing where what came has gone since, or what went has come back.
 */
export function withoutChange(meta: LinkMeta, { was, left, is }: Values): unknown {
  const [before, after, now] = [keysOf(meta, was), keysOf(meta, left), keysOf(meta, is)]
  const came = after.difference(before)
  const went = before.difference(after)
  if (!came.isSubsetOf(now) || !went.isDisjointFrom(now)) return undefined
  return [...now.difference(came).union(went)].map((key) => valueOf(meta, key))
}

function keysOf(meta: LinkMeta, value: unknown) {
  return new Set(linkEntries(meta, value).map(({ kind, id }) => `${kind}/${id}`))
}

function valueOf({ shape }: LinkMeta, key: string) {
  const slash = key.indexOf('/')
  const id = key.slice(slash + 1)
  return shape === 'ids' ? id : { kind: key.slice(0, slash), id }
}
