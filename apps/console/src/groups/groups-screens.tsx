import { Button } from '@mantine/core'
import type { Collection, EntityOf } from '@portcullis/contract/collection'
import { doorGroups } from '@portcullis/contract/collections/door-groups'
import { doors } from '@portcullis/contract/collections/doors'
import { siteGroups } from '@portcullis/contract/collections/site-groups'
import { sites } from '@portcullis/contract/collections/sites'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import { type BulkAction, deleteAction } from '../list/bulk/bulk-action.ts'
import { useMemo } from 'react'
import { CollectionTable } from '../list/collection-table.tsx'
import type { Column } from '../list/data-table.tsx'
import { DoorGroupDrawer } from './door-group-drawer.tsx'
import { GroupUses } from './group-uses.tsx'
import { DeleteButton } from '../item/delete-button.tsx'
import { ReferencesField, TextField } from '../form/fields.tsx'
import { ItemDrawer } from '../form/item-drawer.tsx'
import { NamesOf } from '../item/names-of.tsx'
import { OpenItem } from '../item/open-item.tsx'
import { Screen } from '../ui/screen.tsx'
import { type ScreenTab, ScreenTabs } from '../ui/screen-tabs.tsx'
import { useItemForm } from '../form/use-item-form.ts'
import { useOpenItem } from '../item/use-open-item.ts'
import { siteTabs } from '../navigation/site-tabs.ts'
import { userTabs } from '../navigation/user-tabs.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'

const tabsOfSites = { label: text('sites.title'), tabs: siteTabs }
const tabsOfUsers = { label: text('users.all'), tabs: userTabs }

/** Sites that rules refer to together. */
export function SiteGroupsScreen() {
  return <GroupsScreen of={siteGroups} members={sites} words="siteGroups" tabs={tabsOfSites} />
}

/** Doors that rules refer to together. */
export function DoorGroupsScreen() {
  return <GroupsScreen of={doorGroups} members={doors} words="doorGroups" tabs={tabsOfSites} />
}

/** Users that rules refer to together. */
export function UserGroupsScreen() {
  return <GroupsScreen of={userGroups} members={users} words="userGroups" tabs={tabsOfUsers} />
}

type Groups = typeof doorGroups | typeof siteGroups | typeof userGroups
type AnyGroup = EntityOf<Groups>

type Props = {
  of: Groups
  /** The collection of their members. */
  members: Collection
  /** The catalogue key of their texts. */
  words: 'doorGroups' | 'siteGroups' | 'userGroups'
  tabs: { label: string; tabs: readonly ScreenTab[] }
}

/** The list of groups, and the form with their members. */
function GroupsScreen(props: Props) {
  const { of, words, tabs } = props
  const { open, openNew, openId } = useOpenItem()
  const canManage = useCan('manage', of.subject)
  const columns = useMemo(() => columnsOf({ members: props.members, words }), [props.members, words])
  const add = canManage && <Button onClick={openNew}>{text(`${words}.add`)}</Button>
  return (
    <Screen title={text(`${words}.title`)} beside={<ScreenTabs {...tabs} />} actions={add}>
      <CollectionTable
        of={of}
        label={text(`${words}.title`)}
        columns={columns}
        bulk={canManage ? actionsOf(of) : []}
        sort={{ prop: 'name', dir: 'asc' }}
        openId={openId}
        onOpen={({ _id }) => open(_id)}
        empty={{ title: text(`${words}.empty`), hint: text(`${words}.emptyHint`), action: add }}
      />
      <OpenItem of={of}>
        {(drawer) => (of === doorGroups ? <DoorGroupDrawer {...drawer} /> : <GroupDrawer {...props} {...drawer} />)}
      </OpenItem>
    </Screen>
  )
}

function actionsOf(of: Groups): BulkAction<AnyGroup>[] {
  return [deleteAction({ of, title: (count) => text('bulk.delete.groups', { count }) })]
}

function columnsOf({ members: of, words }: Pick<Props, 'members' | 'words'>): Column<AnyGroup>[] {
  return [
    { key: 'name', sort: 'name', phone: 'title', width: '34%', cell: ({ name }) => name },
    {
      key: 'members',
      phone: 'plain',
      cell: ({ members }) => (
        <NamesOf of={of} ids={members} count={text(`${words}.count`, { count: members.length })} />
      ),
    },
  ]
}

function GroupDrawer({
  of,
  members,
  words,
  item,
  onClose,
}: Props & { item: AnyGroup | undefined; onClose: () => void }) {
  const canManage = useCan('manage', of.subject)
  const form = useItemForm({
    of,
    item,
    onSaved: onClose,
  })
  const count = form.field('members').value.length
  return (
    <ItemDrawer
      form={form}
      title={item?.name ?? text(`${words}.add`)}
      canSave={canManage}
      onClose={onClose}
      aside={canManage && item && <DeleteButton of={of} id={item._id} name={item.name} onDeleted={onClose} />}
      after={item && <GroupUses group={item} eventFilter={of === siteGroups ? 'site' : 'user'} />}
    >
      <TextField field={form.field('name')} />
      <ReferencesField of={members} field={form.field('members')} description={text(`${words}.count`, { count })} />
    </ItemDrawer>
  )
}
