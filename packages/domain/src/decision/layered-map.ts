/**
 * A map that begins as another one and keeps its own changes, so that the other one stays as it is. It must not change
 * while this one is used.
 */
export class LayeredMap<K, Shared, Own extends Shared> extends Map<K, Own> {
  readonly #base: ReadonlyMap<K, Shared>
  readonly #copy: (value: Shared) => Own
  /** Keys whose values are here or removed. */
  readonly #settled = new Set<K>()

  /** `copy` makes a value that may be changed in place; it runs once for each value that is read. */
  constructor(base: ReadonlyMap<K, Shared>, copy: (value: Shared) => Own) {
    super()
    this.#base = base
    this.#copy = copy
  }

  override get(key: K): Own | undefined {
    this.#settle(key)
    return super.get(key)
  }

  override has(key: K): boolean {
    return this.#settled.has(key) ? super.has(key) : this.#base.has(key)
  }

  override set(key: K, value: Own): this {
    this.#settled.add(key)
    return super.set(key, value)
  }

  override delete(key: K): boolean {
    const isHere = this.has(key)
    this.#settled.add(key)
    super.delete(key)
    return isHere
  }

  override clear(): void {
    for (const key of this.#base.keys()) this.#settled.add(key)
    super.clear()
  }

  override get size(): number {
    let size = super.size
    for (const key of this.#base.keys()) if (!this.#settled.has(key)) size++
    return size
  }

  /** In the order of the base; values that it does not have come last. */
  override *entries(): MapIterator<[K, Own]> {
    for (const key of this.keys()) {
      const value = this.get(key)
      if (value !== undefined) yield [key, value]
    }
  }

  override *keys(): MapIterator<K> {
    for (const key of this.#base.keys()) if (this.has(key)) yield key
    for (const key of super.keys()) if (!this.#base.has(key)) yield key
  }

  override *values(): MapIterator<Own> {
    for (const [, value] of this.entries()) yield value
  }

  override [Symbol.iterator](): MapIterator<[K, Own]> {
    return this.entries()
  }

  override forEach(visit: (value: Own, key: K, map: Map<K, Own>) => void): void {
    for (const [key, value] of this.entries()) visit(value, key, this)
  }

  #settle(key: K) {
    if (this.#settled.has(key)) return
    this.#settled.add(key)
    const shared = this.#base.get(key)
    if (shared !== undefined) super.set(key, this.#copy(shared))
  }
}
