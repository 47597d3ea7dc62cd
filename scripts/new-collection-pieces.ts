import type { Names } from './new-collection-names.ts'

/** A new file, or lines that stand before a text of a file that is there. */
export type Piece = { file: string; before?: string; text: string }

/** What a new collection is made of: everything after this is its own fields and its own screen. */
export function piecesOf({ names, migration }: { names: Names; migration: string }): Piece[] {
  const { plural, folder, screen } = names
  const registry = 'packages/contract/src/collections/registry.ts'
  const routes = 'apps/console/src/routes/console-routes.tsx'
  const items = 'apps/server/src/collections/test-items.ts'
  const plans = 'apps/server/src/query/list-plans.test.ts'
  return [
    { file: `packages/contract/src/collections/${folder}.ts`, text: definition(names) },
    { file: registry, before: '\n/** Every collection', text: `import { ${plural} } from './${folder}.ts'\n` },
    { file: registry, before: '}\n\nexport type CollectionName', text: `  ${plural},\n` },
    { file: `apps/server/src/database/migrations/${migration}-${folder}.sql`, text: table(names) },
    { file: `apps/console/src/${folder}/${folder}-screen.tsx`, text: screenOf(names) },
    {
      file: routes,
      before: '\nconst seesSites',
      text: `const ${plural}Screen = lazyRouteComponent(() => import('../${folder}/${folder}-screen.tsx'), '${screen}')\n`,
    },
    { file: routes, before: '  unknown,\n]', text: `  screen({ path: '/${folder}', component: ${plural}Screen }),\n` },
    { file: 'apps/console/src/text/english.ts', before: '  siteGroups: {\n', text: words(names) },
    { file: `apps/server/src/${folder}/${folder}.test.ts`, text: test(names) },
    { file: items, before: ']\n\ntype Fields', text: `  '${plural}',\n` },
    { file: items, before: "    case 'schedules':\n    case 'siteGroups':", text: `    case '${plural}':\n` },
    { file: items, before: "    case 'siteGroups':\n      return { ...least, members", text: whole(names) },
    { file: plans, before: "    await fill('schedule'", text: plan(names) },
  ]
}

function definition({ plural, entity, title }: Names) {
  return `import { z } from 'zod'
import { defineCollection } from '../collection.ts'
import { name } from '../names.ts'

/** ${title}: say in a sentence what they are. */
export const ${plural} = defineCollection({
  name: '${plural}',
  entity: '${entity}',
  subject: 'Sites',
  required: { name: name() },
  optional: { note: z.string().trim().max(2_000).nullable().default(null) },
  fixed: {},
  server: {},
  state: {},
  searchable: ['name'],
  queryable: ['name'],
  isPolicy: false,
})
`
}

function table({ table, plural, title }: Names) {
  return `-- ${title}.

create table ${table} (
  ${table}_id uuid primary key,
  ${table}_account int not null references account (account_key),
  ${table}_version int not null default 1,
  ${table}_created_at timestamptz not null default now(),
  ${table}_updated_at timestamptz not null default now(),
  ${table}_name text not null,
  ${table}_note text
);
create index ${table}_by_account on ${table} (${table}_account, ${table}_id);

select guard_by_account('${table}');
select announce_moves('${table}', '${plural}', false);
`
}

function screenOf({ plural, folder, type, screen, title }: Names) {
  return `import type { EntityOf } from '@portcullis/contract/collection'
import { ${plural} } from '@portcullis/contract/collections/${folder}'
import { Button } from '@mantine/core'
import { CollectionTable } from '../list/collection-table.tsx'
import type { Column } from '../list/data-table.tsx'
import { DeleteButton } from '../item/delete-button.tsx'
import { TextField } from '../form/fields.tsx'
import { ItemDrawer } from '../form/item-drawer.tsx'
import { OpenItem } from '../item/open-item.tsx'
import { Screen } from '../ui/screen.tsx'
import { useItemForm } from '../form/use-item-form.ts'
import { useOpenItem } from '../item/use-open-item.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'

type ${type} = EntityOf<typeof ${plural}>

const labels = { name: text('${plural}.name'), note: text('${plural}.note') }

const columns: Column<${type}>[] = [
  { key: 'name', label: labels.name, sort: 'name', phone: 'title', width: '34%', cell: ({ name }) => name },
  { key: 'note', label: labels.note, phone: 'plain', cell: ({ note }) => note },
]

/** ${title}. */
export function ${screen}() {
  const { open, openNew, openId } = useOpenItem()
  const canManage = useCan('manage', ${plural}.subject)
  const add = canManage && <Button onClick={openNew}>{text('${plural}.add')}</Button>
  return (
    <Screen title={text('${plural}.title')} actions={add}>
      <CollectionTable
        of={${plural}}
        label={text('${plural}.title')}
        columns={columns}
        sort={{ prop: 'name', dir: 'asc' }}
        openId={openId}
        onOpen={({ _id }) => open(_id)}
        empty={{ title: text('${plural}.empty'), hint: text('${plural}.emptyHint'), action: add }}
      />
      <OpenItem of={${plural}}>{(drawer) => <${type}Drawer {...drawer} />}</OpenItem>
    </Screen>
  )
}

function ${type}Drawer({ item, onClose }: { item: ${type} | undefined; onClose: () => void }) {
  const canManage = useCan('manage', ${plural}.subject)
  const form = useItemForm({
    of: ${plural},
    item,
    valuesOf: (known) => ({ name: known?.name ?? '', note: known?.note ?? null }),
    onSaved: onClose,
  })
  return (
    <ItemDrawer
      form={form}
      title={item?.name ?? text('${plural}.add')}
      canSave={canManage}
      onClose={onClose}
      labels={labels}
      aside={canManage && item && <DeleteButton of={${plural}} id={item._id} name={item.name} onDeleted={onClose} />}
    >
      <TextField field={form.field('name')} label={labels.name} />
      <TextField field={form.field('note')} label={labels.note} />
    </ItemDrawer>
  )
}
`
}

function words({ plural, title, word }: Names) {
  return `  ${plural}: {
    title: '${title}',
    add: 'Add: ${word}',
    name: 'Name',
    note: 'Note',
    empty: 'Nothing here yet',
    emptyHint: 'Say what it is for.',
  },
`
}

function test({ plural, folder, title }: Names) {
  return `import { ${plural} } from '@portcullis/contract/collections/${folder}'
import { afterAll, expect, test } from 'vitest'
import { startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

test('${title} are found by their names, and by nobody who may not see ${plural}', async () => {
  const made = await server.client.of(${plural}).create({ name: 'First', note: 'kept' })
  const { items } = await server.client.of(${plural}).list({ search: 'firs' })
  expect(items).toEqual([made])
  const { ask } = await server.signInAs({ role: 'appUser' })
  expect((await ask('GET', '/api/${plural}')).error.code).toBe('forbidden')
})
`
}

function whole({ plural }: Names) {
  return `    case '${plural}':
      return { ...least, note: 'A note' }
`
}

function plan({ table }: Names) {
  return `    await fill('${table}', '${table}_name', sql\`, 'x'\`)
`
}
