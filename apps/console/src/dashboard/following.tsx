import type { Collection } from '@portcullis/contract/collection'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLiveSocket } from '../live/live-context.tsx'
import { isRefusal } from '../session/refusals.ts'
import { useAccount } from '../session/session-context.tsx'
import { announcedKey } from './use-announced.ts'

/** As often as a user can follow; expensive queries run a third as often. */
const paces = [
  { cost: 'cheap', apartMs: 10_000 },
  { cost: 'costly', apartMs: 30_000 },
] as const

/** Reloads the tiles of a collection when something in it changes. */
export function Following({ of }: { of: Collection }) {
  const live = useLiveSocket()
  const { ref } = useAccount()
  const queryClient = useQueryClient()

  useEffect(() => {
    const pollers = paces.map(({ cost, apartMs }) =>
      changingPace({
        apartMs,
        act() {
          const queryKey = announcedKey({ of, accountRef: ref, cost })
          void queryClient.invalidateQueries(
            { queryKey, predicate: ({ state }) => !isRefusal(state.error) },
            { cancelRefetch: false },
          )
        },
      }),
    )
    const changed = () => pollers.forEach((pace) => pace.changed())
    const onVisible = () => pollers.forEach((pace) => pace.looked())
    const end = live.follow({
      entity: of.entity,
      accountRef: ref,
      onSave: changed,
      onRemove: changed,
      onGap: (gap) => gap === 'missed' && changed(),
    })
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      end()
      for (const pace of pollers) pace.stop()
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [of, ref, live, queryClient])
  return null
}

const soonMs = 400

/**
 * Acts soon after a change, and no sooner than `apartMs` after the last time (the first is now), however much
 * changes; while the page is hidden, changes wait until it is visible.
 */
function changingPace({ apartMs, act }: { apartMs: number; act: () => void }) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOwed = false
  let notBefore = performance.now() + apartMs

  function start() {
    timer ??= setTimeout(run, Math.max(soonMs, notBefore - performance.now()))
  }

  function run() {
    timer = undefined
    if (document.hidden) return
    isOwed = false
    notBefore = performance.now() + apartMs
    act()
  }

  return {
    changed() {
      isOwed = true
      start()
    },
    looked() {
      if (isOwed && !document.hidden) start()
    },
    stop() {
      clearTimeout(timer)
    },
  }
}
