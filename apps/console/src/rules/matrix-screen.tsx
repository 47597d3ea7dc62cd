import { SegmentedControl } from '@mantine/core'
import { rules } from '@portcullis/contract/collections/rules'
import { sites } from '@portcullis/contract/collections/sites'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { whereKinds, type WhereKind } from '@portcullis/domain/policy'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ReferencePicker } from '../form/reference-picker.tsx'
import { collectionKey } from '../item/keys.ts'
import { useList } from '../item/use-list.ts'
import { useLive } from '../item/use-live.ts'
import { ruleTabs } from '../navigation/rule-tabs.ts'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import { EmptyNotice, ErrorNotice } from '../ui/list-notice.tsx'
import { Screen } from '../ui/screen.tsx'
import { ScreenTabs } from '../ui/screen-tabs.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import type { Edits } from './matrix-cells.ts'
import { MatrixEditor } from './matrix-editor.tsx'
import { MatrixPager } from './matrix-pager.tsx'
import styles from './matrix.module.css'
import { subjectKinds } from '../subjects/rule-subjects.ts'

const pageSize = 40
const byName = { sort: { prop: 'name', dir: 'asc' }, size: pageSize } as const
const noEdits: Edits = new Map()

/** The access of user groups at doors, sites or groups of them: one cell for each pair, changed like a spreadsheet. */
export function MatrixScreen() {
  const { kind, site, groupPage, placePage, show } = useMatrixQuery()
  const [edits, setEdits] = useState(noEdits)
  const groups = useList(userGroups, { ...byName, page: groupPage })
  const places = useList(subjectKinds[kind].of, {
    ...byName,
    page: placePage,
    ...(kind === 'Door' && site !== undefined ? { filter: { site } } : {}),
  })
  const isEditing = edits.size > 0
  return (
    <Screen title={text('matrix.title')} beside={<ScreenTabs label={text('rules.title')} tabs={ruleTabs} />}>
      <div className={styles.choices}>
        <SegmentedControl
          aria-label={text('matrix.places')}
          disabled={isEditing}
          value={kind}
          data={whereKinds.map((value) => ({ value, label: subjectKinds[value].label }))}
          onChange={(value) => show({ kind: value, placePage: undefined })}
        />
        {kind === 'Door' && (
          <ReferencePicker
            of={sites}
            label={text('matrix.site')}
            isDisabled={isEditing}
            value={site ?? null}
            onChange={(id) => show({ site: id ?? undefined, placePage: undefined })}
          />
        )}
        <MatrixPager
          label={text('matrix.placePages')}
          page={places.data?.page}
          isDisabled={isEditing}
          onChange={(page) => show({ placePage: String(page) })}
        />
        <MatrixPager
          label={text('matrix.groupPages')}
          page={groups.data?.page}
          isDisabled={isEditing}
          onChange={(page) => show({ groupPage: String(page) })}
        />
      </div>
      {isEditing && <p className="soft">{text('matrix.saveFirst')}</p>}
      <Pairs kind={kind} groups={groups} places={places} edits={edits} onEdit={setEdits} />
    </Screen>
  )
}

type Named = { _id: string; name: string; site?: string }
type Side = Pick<ReturnType<typeof useList>, 'isError' | 'error' | 'refetch'> & {
  data: { items: readonly Named[] } | undefined
}
type PairsProps = { kind: WhereKind; groups: Side; places: Side; edits: Edits; onEdit: (edits: Edits) => void }

function Pairs({ kind, groups, places, edits, onEdit }: PairsProps) {
  const [rows, columns] = [groups.data?.items, places.data?.items]
  const matrix = useMatrix(rows, columns)
  const failed = [groups, places, matrix].find(({ isError }) => isError)
  if (failed?.error) return <ErrorNotice error={failed.error} onRetry={() => void failed.refetch()} />
  if (rows?.length === 0) return <EmptyNotice title={text('matrix.noGroups')} hint={text('matrix.noGroupsHint')} />
  if (columns?.length === 0) return <EmptyNotice title={text('matrix.noPlaces')} hint={text('matrix.noPlacesHint')} />
  if (!rows || !columns || !matrix.data) return <SkeletonRows />
  return <MatrixEditor kind={kind} groups={rows} places={columns} matrix={matrix.data} edits={edits} onEdit={onEdit} />
}

/** The rules between groups and places, read again after each change of a rule. */
function useMatrix(groups: readonly Named[] = [], places: readonly Named[] = []) {
  const { ref } = useAccount()
  const queryClient = useQueryClient()
  const ids = { groups: groups.map(({ _id }) => _id), places: places.map(({ _id }) => _id) }
  const key = [...collectionKey(rules, ref), 'matrix']
  const readAgain = () => void queryClient.invalidateQueries({ queryKey: key })
  useLive(rules, { onSaved: readAgain, onRemove: readAgain })
  return useQuery({
    queryKey: [...key, ids],
    queryFn: ({ signal }) => client.rules.matrix(ids, { signal }),
    placeholderData: keepPreviousData,
    enabled: groups.length > 0 && places.length > 0,
  })
}

type Search = Record<string, string | undefined>

/** Rows and columns, in the address. */
function useMatrixQuery() {
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  return {
    kind: whereKinds.find((each) => each === search['kind']) ?? 'Door',
    site: search['site'],
    groupPage: pageIn(search['groupPage']),
    placePage: pageIn(search['placePage']),
    show(changes: Search) {
      void navigate({ to: '.', search: (current: Search) => ({ ...current, ...changes }), resetScroll: false })
    },
  }
}

function pageIn(given: string | undefined) {
  return given !== undefined && /^\d{1,6}$/.test(given) ? Number(given) : 0
}
