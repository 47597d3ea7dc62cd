import { doorGroups } from '@portcullis/contract/collections/door-groups'
import { doors } from '@portcullis/contract/collections/doors'
import type { Where } from '@portcullis/domain/policy'
import { useWhole } from '../subjects/use-whole.ts'
import { conjunction } from '../text/catalogue.ts'
import { text } from '../text/text.ts'

/** What a link does, or which of the doors it does not open: they check more than a guest's press can show. */
export function useLinkHint(where: readonly Where[]) {
  const { byId } = useWhole(doors)
  const { byId: groups } = useWhole(doorGroups)
  const areas = [...groups.values()].filter(({ antiPassback }) => antiPassback !== null && antiPassback.kind !== 'soft')
  const refusing = where
    .flatMap(({ id }) => byId.get(id) ?? [])
    .filter((door) =>
      [
        door.requiresRemoteAuth,
        door.requiresPin,
        door.requiresTwoPersons,
        door.firstPersonGroup !== null,
        areas.some(({ members }) => members.includes(door._id)),
      ].some(Boolean),
    )
  if (refusing.length === 0) return text('guests.byLinkHint')
  return text('guests.byLinkNotAt', { doors: conjunction.format(refusing.map(({ name }) => name)) })
}
