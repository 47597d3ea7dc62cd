import { doors } from '@portcullis/contract/collections/doors'
import { ErrorNotice } from '../ui/list-notice.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { useMinute } from '../time/use-minute.ts'
import { client } from '../session/client.ts'
import { text } from '../text/text.ts'
import { type DoorFigure, doorFigure, doorsOf } from './door-figures.ts'
import { DoorRows } from './door-rows.tsx'
import { AllWell } from './rows.tsx'
import { useTold } from './use-told.ts'

/** The doors that a figure counts, by name. */
export function DoorsOfFigure({ figure }: { figure: DoorFigure }) {
  const at = useMinute().getTime()
  const told = useTold({
    of: doors,
    what: figure,
    ask: (signal) =>
      client.of(doors).list({ filter: doorsOf(figure), sort: { prop: 'name', dir: 'asc' }, size: 100 }, { signal }),
  })
  if (told.isPending) return <SkeletonRows count={3} />
  if (told.data === undefined) return <ErrorNotice error={told.error} onRetry={() => void told.refetch()} />
  const { items, page } = told.data
  const rows = items.filter((door) => doorFigure(door, at) === figure).map((door) => ({ door, figure }))
  if (rows.length === 0) return <AllWell>{text('dashboard.noSuchDoor')}</AllWell>
  return (
    <DoorRows
      label={text('dashboard.doorsOf', { state: text(`state.${figure}`) })}
      rows={rows}
      unread={Math.max(0, page.totalElements - items.length)}
    />
  )
}
