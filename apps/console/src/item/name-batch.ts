/**
 * Collects ids that are asked for one by one within a moment, and looks them up together. `load` answers what it found; the
 * rest is answered with nothing.
 */
export function batchById<T>(
  load: (ids: string[]) => Promise<ReadonlyMap<string, T>>,
  { mostIds }: { mostIds: number },
) {
  let waiting = new Map<string, PromiseWithResolvers<T | undefined>>()

  return function ask(id: string): Promise<T | undefined> {
    const known = waiting.get(id)
    if (known) return known.promise
    if (waiting.size === 0) setTimeout(flush)
    const asked = Promise.withResolvers<T | undefined>()
    waiting.set(id, asked)
    if (waiting.size >= mostIds) flush()
    return asked.promise
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
