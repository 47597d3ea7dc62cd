import { doors } from '@portcullis/contract/collections/doors'
import { sites } from '@portcullis/contract/collections/sites'
import { useQuery } from '@tanstack/react-query'
import { currentAccountRef } from '../session/account-ref.ts'
import { client } from '../session/client.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { collectionKey } from './keys.ts'
import { batchById } from './name-batch.ts'

const mostIds = 100

/**
 * The time zone of a site; undefined while it loads, and where the user may not see the site. All sites requested at once,
 * anywhere on the page, are one request.
 */
export function useSiteZone(site: string | null | undefined): string | undefined {
  const { ref } = useAccount()
  const isOpen = useCan('view', sites.subject)
  const { data } = useQuery({
    queryKey: [...collectionKey(sites, ref), 'zone', site],
    queryFn: async () => (await ask({ what: 'zone', id: site ?? '' })) ?? null,
    enabled: isOpen && typeof site === 'string',
    staleTime: 60_000,
    retry: false,
  })
  return data ?? undefined
}

/** The time zone of the site of a door, as of a site. */
export function useDoorZone(door: string | null | undefined): string | undefined {
  const { ref } = useAccount()
  const isOpen = useCan('view', doors.subject)
  const { data: site } = useQuery({
    queryKey: [...collectionKey(doors, ref), 'site', door],
    queryFn: async () => (await ask({ what: 'site', id: door ?? '' })) ?? null,
    enabled: isOpen && typeof door === 'string',
    staleTime: 60_000,
    retry: false,
  })
  return useSiteZone(site)
}

const batches = new Map<string, (id: string) => Promise<string | undefined>>()
const loads = { zone: loadZones, site: loadSites }

function ask({ what, id }: { what: keyof typeof loads; id: string }) {
  const key = `${currentAccountRef()} ${what}`
  const batch = batches.get(key) ?? batchById(loads[what], { mostIds })
  batches.set(key, batch)
  return batch(id)
}

async function loadZones(ids: string[]) {
  const { items } = await client.of(sites).list({ filter: { _id: { in: ids } }, size: mostIds }, { allAccounts: 'yes' })
  return new Map(items.map(({ _id, timeZone }) => [_id, timeZone]))
}

async function loadSites(ids: string[]) {
  const { items } = await client.of(doors).list({ filter: { _id: { in: ids } }, size: mostIds }, { allAccounts: 'yes' })
  return new Map(items.map(({ _id, site }) => [_id, site]))
}
