import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** Many changes within this time are one request. */
const pauseMs = 1_000

type Changes = { sites?: readonly string[]; units?: readonly string[] }
type Input = {
  queryClient: QueryClient
  /** Of all states; those of a site end with its id. */
  queryKey: QueryKey
  /** The sites of the doors of these controllers. */
  sitesOfUnits: (units: readonly string[]) => Promise<readonly string[]>
}

/** Reads the states of sites again soon after their doors or controllers have changed, and of no others. */
export function statesAgain({ queryClient, queryKey, sitesOfUnits }: Input) {
  const [sites, units] = [new Set<string>(), new Set<string>()]
  let isAll = false
  let timer: ReturnType<typeof setTimeout> | undefined

  /** `all`: of removed items only the id is known. */
  function changed(changes: Changes | 'all') {
    if (changes === 'all') isAll = true
    else {
      for (const site of changes.sites ?? []) sites.add(site)
      for (const unit of changes.units ?? []) units.add(unit)
    }
    timer ??= setTimeout(() => void readAgain(), pauseMs)
  }

  async function readAgain() {
    const [changedSites, changedUnits, areAll] = [new Set(sites), [...units], isAll]
    stop()
    const ofUnits = changedUnits.length > 0 && !areAll ? await sitesOfUnits(changedUnits).catch(() => undefined) : []
    for (const site of ofUnits ?? []) changedSites.add(site)
    await queryClient.invalidateQueries({
      queryKey,
      predicate: ({ queryKey: key }) => {
        const site = key.at(-1)
        return areAll || ofUnits === undefined || (typeof site === 'string' && changedSites.has(site))
      },
    })
  }

  function stop() {
    clearTimeout(timer)
    timer = undefined
    sites.clear()
    units.clear()
    isAll = false
  }

  return { changed, stop }
}
