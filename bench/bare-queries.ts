import { v7 as uuidv7 } from 'uuid'

export type Query = { text: string; values: unknown[] }

/** The plain statements for the same work, without permissions and history. */
export const bareQueries = {
  list: (account: number): Query => ({
    text: 'select * from event where event_account = $1 order by event_occurred_at desc, event_id desc limit 50',
    values: [account],
  }),
  filtered: (account: number, door: string): Query => ({
    text: `select * from event where event_account = $1 and event_door = $2 and event_type = 'access.granted'
            order by event_occurred_at desc, event_id desc limit 50`,
    values: [account, door],
  }),
  total: (account: number): Query => ({
    text: 'select count(*)::int as total from event where event_account = $1',
    values: [account],
  }),
  tree: (accounts: readonly number[]): Query => ({
    text: 'select * from event where event_account = any($1) order by event_occurred_at desc, event_id desc limit 50',
    values: [accounts],
  }),
  get: (account: number, id: string): Query => ({
    text: 'select * from event where event_id = $2 and event_account = $1',
    values: [account, id],
  }),
  user: (id: string): Query => ({
    text: 'select * from person where person_id = $1',
    values: [id],
  }),
  all: (account: number): Query => ({
    text: `select * from event where event_account = $1 and event_category = 'access'
            order by event_occurred_at desc, event_id desc`,
    values: [account],
  }),
  create: (account: number, name: string): Query => ({
    text: `insert into site (site_id, site_account, site_name, site_time_zone) values ($1, $2, $3, 'UTC') returning *`,
    values: [uuidv7(), account, name],
  }),
  patch: (id: string, name: string): Query => ({
    text: `update site set site_name = $2, site_version = site_version + 1, site_updated_at = now()
            where site_id = $1 returning *`,
    values: [id, name],
  }),
} as const
