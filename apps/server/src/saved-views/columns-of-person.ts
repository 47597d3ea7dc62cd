import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'

type Asked = { person: string; list: string }

const row = z.object({ columns: z.array(z.string()) })

/** The columns in which a person last left a list; null where they never chose any. */
export async function readColumns(tx: Transaction, { person, list }: Asked): Promise<string[] | null> {
  const found = await tx.first(
    row,
    sql`select remembered_columns_keys as columns from remembered_columns
         where remembered_columns_person = ${person} and remembered_columns_list = ${list}`,
  )
  return found?.columns ?? null
}

/** Remembers them, or forgets them where there are none. */
export async function writeColumns(
  tx: Transaction,
  { person, list, columns }: Asked & { columns: readonly string[] | null },
) {
  if (columns === null) {
    await tx.run(
      sql`delete from remembered_columns
           where remembered_columns_person = ${person} and remembered_columns_list = ${list}`,
    )
    return
  }
  await tx.run(
    sql`insert into remembered_columns (remembered_columns_person, remembered_columns_list, remembered_columns_keys)
        values (${person}, ${list}, ${columns}::text[])
        on conflict (remembered_columns_person, remembered_columns_list)
          do update set remembered_columns_keys = excluded.remembered_columns_keys`,
  )
}
