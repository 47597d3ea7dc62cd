import { type Brand, brands } from '@portcullis/contract/brands'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { brandOfAccount } from '../brands/brand-of-account.ts'
import type { Database } from '../database/database.ts'

/** Under whose name somebody gets mail: the brand of their home account. */
export async function mailBrand(database: Database, person: string): Promise<Brand> {
  return database.asSystem(async (tx) => {
    const home = await tx.first(
      z.object({ account: z.int() }),
      sql`select person_home as account from person where person_id = ${person}`,
    )
    return brandOfAccount(tx, home?.account ?? 0)
  })
}

/**
 * Where the links of a brand's mails lead: to a host of its own, where the public address is that of one of our brands, so that
 * the others are served too; else to the server's own address. Never to what a request said of its host.
 */
export function linkUrl(own: string, { hosts }: Brand) {
  const url = new URL(own)
  const [host] = hosts
  if (host === undefined || hosts.includes(url.hostname) || !brandHosts.has(url.hostname)) return own
  url.hostname = host
  return url.origin
}

const brandHosts = new Set(Object.values(brands).flatMap(({ hosts }) => hosts))
