import pg from 'pg'

const heading = `-- The schema that the migrations in apps/server/src/database/migrations make, read from the catalogue of a database. Written by
-- npm run schema: change the migrations instead.
`

type Relation = {
  name: string
  definition: string
  comment: string | null
  /** Whether row level security is on, and holds for the owner too. */
  isLocked: boolean
}

/**
 * The schema of a database as SQL, read from its catalogue: tables with their columns, constraints, indexes, policies,
 * grants and triggers, then views and functions, each in the order of names. Columns keep the order of the table.
 */
export async function describeSchema(databaseUrl: string): Promise<string> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    const relations = await rowsOf<Relation>(client, relationsQuery)
    const parts = await partsOf(client)
    const functions = await rowsOf<{ text: string }>(client, functionsQuery)
    return writeSchema({ relations, parts, functions })
  } finally {
    await client.end()
  }
}

type Schema = {
  relations: readonly Relation[]
  parts: ReadonlyMap<string, string[]>
  functions: readonly { text: string }[]
}

function writeSchema({ relations, parts, functions }: Schema) {
  const blocks = relations.map(({ name, definition, comment, isLocked }) =>
    [
      ...(comment === null ? [] : [`-- ${comment}`]),
      definition,
      ...(isLocked ? [`alter table ${name} enable row level security, force row level security;`] : []),
      ...(parts.get(name) ?? []),
    ].join('\n'),
  )
  const schema = [...blocks, ...functions.map(({ text }) => text)].join('\n\n')
  return `${heading}\n${schema.replaceAll(' public.', ' ')}\n`
}

/** What stands below the definition of a relation, by its name. */
async function partsOf(client: pg.Client) {
  const parts = new Map<string, string[]>()
  for (const query of [indexesQuery, policiesQuery, grantsQuery, triggersQuery]) {
    for (const { relation, text } of await rowsOf<{ relation: string; text: string }>(client, query)) {
      parts.set(relation, [...(parts.get(relation) ?? []), text])
    }
  }
  return parts
}

async function rowsOf<Row extends pg.QueryResultRow>(client: pg.Client, query: string) {
  const { rows } = await client.query<Row>(query)
  return rows
}

const here = `'public'::regnamespace`

/** Columns, then constraints. PostgreSQL keeps "not null" as a constraint too; it is told beside the column. */
const relationsQuery = `
  with described as (
    select attrelid as oid, 1 as part, attnum as place,
           concat_ws(' ', quote_ident(attname), format_type(atttypid, atttypmod),
             case when attidentity <> '' then 'generated always as identity'
                  when attgenerated <> '' then format('generated always as (%s) stored', pg_get_expr(adbin, adrelid))
                  when adbin is not null then format('default %s', pg_get_expr(adbin, adrelid)) end,
             case when attnotnull then 'not null' end) as text
      from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
     where attnum > 0 and not attisdropped
    union all
    select conrelid, 2, row_number() over (order by contype = 'c', contype <> 'p', conname),
           format('constraint %s %s', quote_ident(conname), pg_get_constraintdef(oid))
      from pg_constraint where contype not in ('n', 't')
  )
  select quote_ident(relname) as name, obj_description(relation.oid, 'pg_class') as comment,
         relrowsecurity and relforcerowsecurity as "isLocked",
         case when relkind = 'v'
              then format(E'create view %s%s as\\n%s', quote_ident(relname),
                     ' with (' || array_to_string(reloptions, ', ') || ')', pg_get_viewdef(relation.oid))
              when relispartition
              then format('create table %s partition of %s %s;', quote_ident(relname),
                     (select inhparent::regclass from pg_inherits where inhrelid = relation.oid),
                     pg_get_expr(relpartbound, relation.oid))
              else format(E'create table %s (\\n  %s\\n)%s%s;', quote_ident(relname),
                     (select string_agg(text, E',\\n  ' order by part, place) from described where oid = relation.oid),
                     ' partition by ' || pg_get_partkeydef(relation.oid),
                     ' with (' || array_to_string(reloptions, ', ') || ')') end as definition
    from pg_class relation
   where relnamespace = ${here} and relkind in ('r', 'p', 'v')
   order by relkind = 'v', relname`

/** Those of constraints are told with them, those of partitions with their parents. */
const indexesQuery = `
  select quote_ident(related.relname) as relation, pg_get_indexdef(indexrelid) || ';' as text
    from pg_index join pg_class related on related.oid = indrelid join pg_class own on own.oid = indexrelid
   where related.relnamespace = ${here} and not own.relispartition
     and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))
   order by own.relname`

const policiesQuery = `
  select quote_ident(tablename) as relation,
         concat_ws(' ', format('create policy %s on %s for %s to %s', quote_ident(policyname), quote_ident(tablename),
                          lower(cmd), array_to_string(roles, ', ')),
           'using (' || qual || ')', 'with check (' || with_check || ')') || ';' as text
    from pg_policies where schemaname = 'public' order by policyname`

/** Of others than the owner: on relations, on single columns, and on the sequences behind columns. */
const grantsQuery = `
  select relation, format('grant %s on %s to %s;', string_agg(lower(privilege), ', ' order by privilege), target,
                     grantee) as text
    from (
      select quote_ident(relname) as relation, quote_ident(relname) as target, relowner as owner, privilege_type as privilege,
             grantee::regrole as grantee
        from pg_class, aclexplode(relacl) where relnamespace = ${here} and relkind in ('r', 'p', 'v')
      union all
      select quote_ident(relname), quote_ident(relname), relowner,
             format('%s (%s)', privilege_type, string_agg(quote_ident(attname), ', ' order by attname)), grantee::regrole
        from pg_class join pg_attribute on attrelid = pg_class.oid, aclexplode(attacl)
       where relnamespace = ${here} group by relname, relowner, privilege_type, grantee
      union all
      select refobjid::regclass::text, 'sequence ' || quote_ident(relname), relowner, privilege_type, grantee::regrole
        from pg_class join pg_depend on objid = pg_class.oid and deptype = 'i', aclexplode(relacl)
       where relnamespace = ${here} and relkind = 'S'
    ) granted
   where grantee <> owner group by relation, target, grantee order by target, grantee::text`

/** Each with its comment: why it is a trigger. */
const triggersQuery = `
  select quote_ident(relname) as relation,
         concat('-- ' || obj_description(pg_trigger.oid, 'pg_trigger') || E'\\n', pg_get_triggerdef(pg_trigger.oid), ';') as text
    from pg_trigger join pg_class on pg_class.oid = tgrelid
   where relnamespace = ${here} and not tgisinternal and not relispartition order by tgname`

const functionsQuery = `
  select concat(
      trim(trailing E'\\n' from pg_get_functiondef(routine.oid)), ';',
      case when proowner <> datdba then format(E'\\nalter function %s owner to %s;', proname, proowner::regrole) end,
      case when not has_function_privilege('public', routine.oid, 'execute')
           then format(E'\\nrevoke execute on function %s from public;', proname) end,
      (select string_agg(format(E'\\ngrant execute on function %s to %s;', proname, grantee::regrole), ''
                order by grantee::regrole::text)
         from aclexplode(proacl) where grantee not in (0, proowner))) as text
    from pg_proc routine join pg_database on datname = current_database()
   where pronamespace = ${here} order by proname, pg_get_function_identity_arguments(routine.oid)`
