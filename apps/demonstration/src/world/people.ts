import type { Figure } from '../portraits/looks.ts'
import { addressOfPortrait } from '../portraits/serve-portraits.ts'
import type { Random } from '../random.ts'
import { type Crew, crews, rareNames } from './crews.ts'
import { type NamePool, type NamePoolName, namePools } from './name-pools.ts'

export type Person = {
  name: string
  crew: Crew
  /** Address of their picture. */
  img: string
}

/** All users with their pictures: those named in the crews, and the additional ones. */
export function inventPeople(random: Random): Person[] {
  const taken = new Set(crews.flatMap(({ names }) => names))
  return crews.flatMap((crew) => {
    const unnamed = Array.from({ length: crew.size - crew.names.length }, () => newName({ crew, taken, random }))
    return [...crew.names, ...unnamed].map((name) => ({ name, crew, img: portraitFor(name) }))
  })
}

function newName({ crew, taken, random }: { crew: Crew; taken: Set<string>; random: Random }) {
  for (;;) {
    const { name } = inventName(crew.pools, random)
    if (taken.has(name)) continue
    taken.add(name)
    return name
  }
}

/** A name of one of the pools, of a woman or a man. */
export function inventName(pools: readonly NamePoolName[], random: Random) {
  const pool = random.pick(pools) ?? 'english'
  const { women, men, families } = poolOf(pool)
  const figure = random.chance(0.5) ? ('woman' as const) : ('man' as const)
  const given = random.pick(figure === 'woman' ? women : men) ?? ''
  const double = random.chance(0.04) ? `-${random.pick(families)}` : ''
  return { pool, figure, name: `${given} ${random.pick(families)}${double}` }
}

/** The URL of a portrait, derived from the name, so that it is the same in every demonstration. */
function portraitFor(name: string) {
  const { pool, figure } = originOf(name)
  return addressOfPortrait({ look: poolOf(pool).look, figure, seed: seedOf(name) })
}

function originOf(name: string): { pool: NamePoolName; figure: Figure } {
  const rare = rareNames[name]
  if (rare) return rare
  const words = name.split(' ')
  for (const pool of poolNames) {
    const { women, men } = poolOf(pool)
    if (words.some((word) => women.includes(word))) return { pool, figure: 'woman' }
    if (words.some((word) => men.includes(word))) return { pool, figure: 'man' }
  }
  throw new Error(`No name pool contains a part of ${name}.`)
}

export function poolOf(name: NamePoolName): NamePool {
  return namePools[name]
}

const poolNames = keysOf(namePools)

function keysOf<K extends string>(record: Record<K, unknown>): K[] {
  const keys: K[] = []
  for (const key in record) keys.push(key)
  return keys
}

export function seedOf(text: string) {
  let hash = 0x811c9dc5
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return (hash >>> 0).toString(36)
}
