import { type Brand, brands } from '@portcullis/contract/brands'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { brandOfAccount } from '../brands/brand-of-account.ts'
import type { Database } from '../database/database.ts'

/** The brand of a user's emails: that of their home account. */
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
 * The base URL for links in a brand's emails: the brand's own host if the public URL is that of one of our brands,
 * because this server then serves them all; else the public URL. Never taken from a request's Host header.
 */
export function linkUrl(own: string, { hosts }: Brand) {
  const url = new URL(own)
  const [host] = hosts
  if (host === undefined || hosts.includes(url.hostname) || !brandHosts.has(url.hostname)) return own
  url.hostname = host
  return url.origin
}

const brandHosts = new Set(Object.values(brands).flatMap(({ hosts }) => hosts))
