import { Button } from '@mantine/core'
import type { EntityOf } from '@portcullis/contract/collection'
import { lockdownPlans } from '@portcullis/contract/collections/lockdown-plans'
import { LongTextField, NumberField, TextField } from '../form/fields.tsx'
import { ItemDrawer } from '../form/item-drawer.tsx'
import { useItemForm } from '../form/use-item-form.ts'
import { DeleteButton } from '../item/delete-button.tsx'
import { OpenItem } from '../item/open-item.tsx'
import { useOpenItem } from '../item/use-open-item.ts'
import { CollectionTable } from '../list/collection-table.tsx'
import type { Column } from '../list/data-table.tsx'
import { lockdownTabs } from '../navigation/lockdown-tabs.ts'
import { useCan } from '../session/session-context.tsx'
import type { Subject } from '../subjects/rule-subjects.ts'
import { SubjectPicker } from '../subjects/subject-picker.tsx'
import { useSubjects } from '../subjects/use-subjects.ts'
import { listOf } from '../text/catalogue.ts'
import { text } from '../text/text.ts'
import { Screen } from '../ui/screen.tsx'
import { ScreenTabs } from '../ui/screen-tabs.tsx'
import { durationText } from './lockdown-control.tsx'

type Plan = EntityOf<typeof lockdownPlans>

const columns: Column<Plan>[] = [
  { key: 'name', sort: 'name', phone: 'title', width: '26%', cell: ({ name }) => name },
  { key: 'places', phone: 'line', cell: ({ places }) => <Places places={places} /> },
  { key: 'mayPass', phone: 'line', cell: ({ mayPass }) => <Places places={mayPass} /> },
  { key: 'cardGroups', phone: 'line', cell: ({ cardGroups }) => <Places places={cardGroups} /> },
  {
    key: 'endsAfterMinutes',
    sort: 'endsAfterMinutes',
    phone: 'plain',
    width: '190px',
    cell: ({ endsAfterMinutes }) => durationText(endsAfterMinutes),
  },
  { key: 'note', isExtra: true, phone: 'hidden', cell: ({ note }) => note },
]

/** The plans that users start from the top bar. */
export function LockdownPlansScreen() {
  const { open, openNew, openId } = useOpenItem()
  const canManage = useCan('manage', lockdownPlans.subject)
  const add = canManage && <Button onClick={openNew}>{text('lockdownPlans.add')}</Button>
  return (
    <Screen
      title={text('lockdownPlans.title')}
      beside={<ScreenTabs label={text('lockdownPlans.title')} tabs={lockdownTabs} />}
      actions={add}
    >
      <CollectionTable
        of={lockdownPlans}
        label={text('lockdownPlans.title')}
        columns={columns}
        sort={{ prop: 'name', dir: 'asc' }}
        openId={openId}
        onOpen={({ _id }) => open(_id)}
        empty={{ title: text('lockdownPlans.empty'), hint: text('lockdownPlans.emptyHint'), action: add }}
      />
      <OpenItem of={lockdownPlans}>{(drawer) => <PlanDrawer {...drawer} />}</OpenItem>
    </Screen>
  )
}

const shownPlaces = 3

function Places({ places }: { places: readonly Subject[] }) {
  const { nameOf } = useSubjects(places)
  const names = places.slice(0, shownPlaces).map((place) => nameOf(place) ?? '…')
  const more = places.length - names.length
  return more > 0 ? text('rules.more', { name: listOf(names), count: more }) : listOf(names)
}

function PlanDrawer({ item, onClose }: { item: Plan | undefined; onClose: () => void }) {
  const canManage = useCan('manage', lockdownPlans.subject)
  const form = useItemForm({ of: lockdownPlans, item, check: cardsAndDoors, onSaved: onClose })
  return (
    <ItemDrawer
      form={form}
      title={item?.name ?? text('lockdownPlans.add')}
      canSave={canManage}
      onClose={onClose}
      aside={
        canManage && item && <DeleteButton of={lockdownPlans} id={item._id} name={item.name} onDeleted={onClose} />
      }
    >
      <TextField field={form.field('name')} />
      <SubjectPicker
        field={form.field('places')}
        label={text('lockdownPlans.places')}
        kinds={['Site', 'Door Group', 'Door', 'Site Group']}
        canEdit={canManage}
      />
      <SubjectPicker
        field={form.field('mayPass')}
        label={text('lockdownPlans.mayPass')}
        kinds={['User Group']}
        canEdit={canManage}
      />
      <p className="soft">{text('lockdownPlans.mayPassHint')}</p>
      <p className="soft">{text('lockdownPlans.effect')}</p>
      <SubjectPicker
        field={form.field('cardGroups')}
        label={text('lockdownPlans.cardGroups')}
        kinds={['User Group']}
        canEdit={canManage}
      />
      <SubjectPicker
        field={form.field('cardDoors')}
        label={text('lockdownPlans.cardDoors')}
        kinds={['Door']}
        canEdit={canManage}
      />
      {form.values.cardGroups.length > 0 && <p>{text('lockdownPlans.cardWarning')}</p>}
      <p className="soft">{text('lockdownPlans.cardHint')}</p>
      <NumberField field={form.field('endsAfterMinutes')} unit="min" />
      <LongTextField field={form.field('note')} />
    </ItemDrawer>
  )
}

/** Cards start a lockdown only at named doors. */
function cardsAndDoors({ cardGroups, cardDoors }: Pick<Plan, 'cardGroups' | 'cardDoors'>): Record<string, string> {
  if (cardGroups.length > 0 && cardDoors.length === 0) return { cardDoors: text('lockdownPlans.cardDoorsMissing') }
  if (cardDoors.length > 0 && cardGroups.length === 0) return { cardGroups: text('lockdownPlans.cardGroupsMissing') }
  return {}
}
