import type { OtherLanguage } from '@portcullis/contract/languages'
import { capital, type Names } from './new-collection-names.ts'

/** A new file, or lines to insert before a text of an existing file. */
export type Piece = { file: string; before?: string; text: string }

/** All pieces of a new collection, apart from its own fields and screen. */
export function piecesOf({ names, migration }: { names: Names; migration: string }): Piece[] {
  const { plural, folder, screen } = names
  const registry = 'packages/contract/src/collections/registry.ts'
  const routes = 'apps/console/src/routes/console-routes.tsx'
  return [
    { file: `packages/contract/src/collections/${folder}.ts`, text: definition(names) },
    { file: registry, before: '\n/** Every collection', text: `import { ${plural} } from './${folder}.ts'\n` },
    { file: registry, before: '}\n\nexport type CollectionName', text: `  ${plural},\n` },
    { file: `apps/server/src/database/migrations/${migration}-${folder}.sql`, text: table(names) },
    { file: `apps/console/src/${folder}/${folder}.text.ts`, text: texts(names) },
    ...Object.entries(translations).map(([language, textsIn]) => ({
      file: `apps/console/src/${folder}/${folder}.text.${language}.ts`,
      text: textsIn(names),
    })),
    { file: `apps/console/src/${folder}/${folder}-screen.tsx`, text: screenOf(names) },
    {
      file: routes,
      before: '\nconst seesDashboard',
      text: `const ${plural}Screen = lazyRouteComponent(() => import('../${folder}/${folder}-screen.tsx'), '${screen}')\n`,
    },
    { file: routes, before: '  unknown,\n]', text: `  screen({ path: '/${folder}', component: ${plural}Screen }),\n` },
  ]
}

const translations: Readonly<Record<OtherLanguage, (names: Names) => string>> = { es: spanishTexts }

function definition({ plural, entity, title }: Names) {
  return `import { defineCollection } from '../collection.ts'
import { text } from '../fields.ts'
import { name } from '../names.ts'

/** ${title}: describe them in a sentence. */
export const ${plural} = defineCollection({
  name: '${plural}',
  entity: '${entity}',
  subject: 'Sites',
  fields: {
    required: { name: name() },
    optional: { note: text(1_000).nullable().default(null) },
  },
  searchable: ['name', 'note'],
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

const columns: Column<${type}>[] = [
  { key: 'name', sort: 'name', phone: 'title', width: '34%', cell: ({ name }) => name },
  { key: 'note', phone: 'plain', cell: ({ note }) => note },
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
  const form = useItemForm({ of: ${plural}, item, onSaved: onClose })
  return (
    <ItemDrawer
      form={form}
      title={item?.name ?? text('${plural}.add')}
      canSave={canManage}
      onClose={onClose}
      aside={canManage && item && <DeleteButton of={${plural}} id={item._id} name={item.name} onDeleted={onClose} />}
    >
      <TextField field={form.field('name')} />
      <TextField field={form.field('note')} />
    </ItemDrawer>
  )
}
`
}

function texts({ plural, title, word }: Names) {
  return `export const ${plural} = {
  title: '${title}',
  one: '${capital(word)}',
  add: 'Add ${word}',
  name: 'Name',
  note: 'Note',
  empty: 'No ${title.toLowerCase()} yet',
  emptyHint: 'Describe here what they are for.',
} as const

declare module '../text/text.ts' {
  interface Texts {
    ${plural}: typeof ${plural}
  }
}
`
}

/** English until it is translated. */
function spanishTexts({ plural, folder, title, word }: Names) {
  return `import type { Translation } from '../text/catalogue.ts'
import type * as english from './${folder}.text.ts'

export const ${plural}: Translation<typeof english.${plural}> = {
  title: '${title}',
  one: '${capital(word)}',
  add: 'Añadir ${word}',
  name: 'Nombre',
  note: 'Nota',
  empty: '${title}: ninguno todavía',
  emptyHint: 'Describa aquí para qué sirven.',
}
`
}
