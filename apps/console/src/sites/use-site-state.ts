import { maxSiteStates, type SiteState } from '@portcullis/contract/calls/sites'
import type { EntityOf } from '@portcullis/contract/collection'
import { doors } from '@portcullis/contract/collections/doors'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { z } from 'zod'
import { batchById } from '../item/batch-by-id.ts'
import { collectionKey } from '../item/keys.ts'
import { reachOf } from '../item/reach-of.ts'
import { useLive } from '../item/use-live.ts'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import { statesAgain } from './states-again.ts'

/** Modes end by the clock, without a message. */
const againMs = 60_000

/** The current state of a site; those of a page are one request. */
export function useSiteState(id: string) {
  const { ref } = useAccount()
  return useQuery(stateQuery(ref, id))
}

/** The states of several sites, as far as they are read; `isUnknown`: one of them cannot be read. */
export function useSiteStates(ids: readonly string[]) {
  const { ref } = useAccount()
  const found = useQueries({ queries: ids.map((id) => stateQuery(ref, id)) })
  return {
    states: found.flatMap(({ data }) => data ?? []),
    isUnknown: found.some(({ isError, data }) => isError || data === null),
    isLoading: found.some(({ isPending }) => isPending),
  }
}

function stateQuery(accountRef: string, id: string) {
  return {
    queryKey: stateKey(accountRef, id),
    queryFn: async () => (await readState(id)) ?? null,
    refetchInterval: againMs,
    retry: false,
  }
}

const readState = batchById<SiteState>(
  async (ids) => {
    const { sites: found } = await client.siteStates(ids, reachOf(sites))
    return new Map(found.map((site) => [site._id, site]))
  },
  { maxIds: maxSiteStates },
)

function stateKey(accountRef: string, ...id: string[]) {
  return [...collectionKey(sites, accountRef), 'state', ...id] as const
}

/** Reads the states of the sites of changed doors again soon. */
export function FollowDoors() {
  const changed = useChanged()
  useLive(doors, {
    newcomers: 'stay',
    onSaved: (saved) => changed({ sites: saved.map(({ site }) => site) }),
    onRemove: () => changed('all'),
  })
  return null
}

/** The same for the sites of changed controllers and of their doors. A heartbeat alone changes no state. */
export function FollowUnits() {
  const changed = useChanged()
  const noted = useRef(new Map<string, string>())
  useLive(units, {
    newcomers: 'stay',
    onRemove: () => changed('all'),
    onSaved(saved) {
      const noteworthy = saved.filter((unit) => note(noted.current, unit))
      if (noteworthy.length === 0) return
      changed({ sites: noteworthy.flatMap(({ site }) => site ?? []), units: noteworthy.map(({ _id }) => _id) })
    },
  })
  return null
}

/** Notes what matters of a controller; returns whether it differs from what was noted before. */
function note(noted: Map<string, string>, unit: EntityOf<typeof units>) {
  const { _id, site, status, inService, outOfSyncSince, tamperedSince } = unit
  const shown = JSON.stringify([site, status, inService, outOfSyncSince, tamperedSince])
  const isChanged = noted.get(_id) !== shown
  noted.set(_id, shown)
  return isChanged
}

function useChanged() {
  const { ref } = useAccount()
  const queryClient = useQueryClient()
  const again = useMemo(() => statesAgain({ queryClient, queryKey: stateKey(ref), sitesOfUnits }), [queryClient, ref])
  useEffect(() => again.stop, [again])
  return again.changed
}

async function sitesOfUnits(ids: readonly string[]) {
  const { rows } = await client
    .of(doors)
    .aggregate({ by: ['site'], filter: { unit: { in: [...ids] } } }, reachOf(doors))
  return z
    .array(z.object({ site: z.uuid() }))
    .parse(rows)
    .map(({ site }) => site)
}
