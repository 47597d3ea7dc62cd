/**
 * Collects ids requested one by one within a moment, and loads them together. `load` returns those that it found; the
 * others are undefined.
 */
export function batchById<T>(load: (ids: string[]) => Promise<ReadonlyMap<string, T>>, { maxIds }: { maxIds: number }) {
  let waiting = new Map<string, PromiseWithResolvers<T | undefined>>()

  return function ask(id: string): Promise<T | undefined> {
    const pending = waiting.get(id)
    if (pending) return pending.promise
    if (waiting.size === 0) setTimeout(flush)
    const name = Promise.withResolvers<T | undefined>()
    waiting.set(id, name)
    if (waiting.size >= maxIds) flush()
    return name.promise
  }

  function flush() {
    const batch = waiting
    waiting = new Map()
    if (batch.size === 0) return
    void answer(batch)
  }

  async function answer(batch: ReadonlyMap<string, PromiseWithResolvers<T | undefined>>) {
    try {
      const found = await load([...batch.keys()])
      for (const [id, { resolve }] of batch) resolve(found.get(id))
    } catch (error) {
      for (const { reject } of batch.values()) reject(error)
    }
  }
}
