const soonMs = 400

/**
 * Acts soon after something has changed, and no sooner than `apartMs` after the last time (the first is now), however much
 * changes; what changes while nobody looks waits until somebody does.
 */
export function changingPace({ apartMs, act }: { apartMs: number; act: () => void }) {
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
