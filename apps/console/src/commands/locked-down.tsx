import type { EntityOf } from '@portcullis/contract/collection'
import type { doors } from '@portcullis/contract/collections/doors'
import { lockdowns } from '@portcullis/contract/collections/lockdowns'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useAccount, useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { TextWith } from '../ui/text-with.tsx'
import { activeLockdowns } from './active-lockdowns.ts'

export type DoorLockdowns = EntityOf<typeof doors>['lockdowns']

/**
 * Why a door in active lockdowns takes no commands, with a link to each lockdown of this account. Another one belongs to an
 * account above, where the user cannot open it from here.
 */
export function LockedDown({ by }: { by: DoorLockdowns }) {
  const { ref } = useAccount()
  const isOpen = useCan('view', lockdowns.subject)
  // The banner above the screen reads them again; a list of doors does not.
  const { data: own } = useQuery({ ...activeLockdowns(ref), enabled: isOpen, staleTime: Infinity })
  return by.map(({ _id, name }) => (
    <span key={_id}>
      <Sentence id={_id} name={name} isOwn={own?.some((each) => each._id === _id)} />{' '}
    </span>
  ))
}

type SentenceProps = { id: string; name: string; isOwn: boolean | undefined }

function Sentence({ id, name, isOwn }: SentenceProps) {
  const { ref } = useAccount()
  if (isOwn === undefined) return text('lockdowns.lockedBy', { name })
  if (!isOwn) return text('lockdowns.lockedByAbove', { name })
  const link = (
    <Link to="/$account/rules/lockdowns/$lockdown" params={{ account: ref, lockdown: id }}>
      <bdi>{name}</bdi>
    </Link>
  )
  return <TextWith of="lockdowns.lockedBy" values={{ name: link }} />
}
