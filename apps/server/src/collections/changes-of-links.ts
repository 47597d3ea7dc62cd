import type { Change } from '../changes/record-change.ts'
import type { LinkChange } from './links.ts'

/** A flood of members is not a flood of messages: beyond this, lists are read again when they are next looked at. */
const mostAnnounced = 500

/** The items at the other end of changed memberships look different now: they are announced too. */
export function changesOfLinks({ account, links }: { account: number; links: readonly LinkChange[] }): Change[] {
  return links
    .filter(({ meta }) => meta.shape === 'ids')
    .flatMap(({ meta, added, removed }) =>
      [...added, ...removed].slice(0, mostAnnounced).map((item) => ({
        account,
        collection: meta.of[0]?.collection ?? '',
        item,
        action: 'save' as const,
        isPolicy: false,
      })),
    )
}
