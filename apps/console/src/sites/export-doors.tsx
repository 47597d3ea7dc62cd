import { doors } from '@portcullis/contract/collections/doors'
import type { ListQuery } from '@portcullis/contract/list-query'
import { ExportMenu } from '../list/export/export-menu.tsx'
import { valueWords } from '../item/value-words.ts'
import { client } from '../session/client.ts'
import { fieldLabel } from '../text/field-label.ts'
import { text } from '../text/text.ts'

const fields = ['site', 'name', 'unit', 'unitDoor', 'mode', 'modeUntil', 'state', 'stateAt', 'enabled'] as const

const columns = [
  ...fields.map((field) => {
    const words = valueWords(doors.name, field)
    return { field, title: fieldLabel(doors.name, field), ...(words ? { words } : {}) }
  }),
  { field: 'groups', title: text('doorGroups.title') },
]

/** The doors of the sites that a query finds, as a file. */
export function ExportDoors({ filter, search }: Pick<ListQuery, 'filter' | 'search'>) {
  const query = { ...(filter ? { filter } : {}), ...(search ? { search } : {}) }
  return (
    <ExportMenu
      of={doors}
      label={text('doors.title')}
      query={{ ...query, sort: { prop: 'name', dir: 'asc' } }}
      columns={columns}
      total={undefined}
      words={text('sites.exportDoors')}
      download={client.exportDoorsOfSites}
    />
  )
}
