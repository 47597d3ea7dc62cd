import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { viewerZone } from '../time/time-text.ts'
import { client } from '../session/client.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { language } from '../text/language.ts'
import { text } from '../text/text.ts'
import { peopleColumns } from './access-columns.tsx'
import { AccessList } from './access-list.tsx'
import type { AccessView, Room } from './access-toolbar.tsx'
import { shortPeopleColumns } from './short-columns.tsx'
import { useDoorAccess } from './use-access-list.ts'

type Props = {
  door: string
  view: AccessView
  onChange: (changes: Partial<AccessView>) => void
  room: Room
}

/** Who can open this door. */
export function DoorAccessList({ door, view, onChange, room }: Props) {
  const { _id: account } = useAccount()
  const { search, can, page, size } = view
  const list = useDoorAccess(door, { can, page, size, ...(search ? { search } : {}) })
  return (
    <AccessList
      of="people"
      room={room}
      list={list}
      nameOf={(data) => data.door.name}
      columns={(data) => (room === 'drawer' ? shortPeopleColumns(data) : peopleColumns(data, { account }))}
      view={view}
      onChange={onChange}
      fetchFile={(format) =>
        client.explorer.exportDoorAccess(door, {
          format,
          can,
          language,
          timeZone: viewerZone,
          ...(search ? { search } : {}),
        })
      }
      next={<AddRule />}
    />
  )
}

function AddRule() {
  const { ref } = useAccount()
  const canManage = useCan('manage', 'Access Control')
  const navigate = useNavigate()
  const to: string = `/${ref}/rules/list`
  if (!canManage) return null
  return <Button onClick={() => void navigate({ to, search: { open: 'new' } })}>{text('explorer.addRule')}</Button>
}
