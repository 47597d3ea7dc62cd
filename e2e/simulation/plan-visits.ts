import { sceneOf, type SceneName } from './day-scenes.ts'
import type { Sizes } from './plan-day.ts'
import type { Random } from './random.ts'

export type Visit = {
  kind: 'present'
  unit: number
  door: number
  card: number
  direction: 'entry' | 'exit'
}

/** Half of all users arrive at the peak. */
const arrivals: readonly SceneName[] = ['early', 'peak', 'peak', 'late']
const noonLeavers = 0.3
const stepMs = { least: 200, most: 900 }

/** Users arrive in the morning, some go out at noon, all leave in the evening; at night there are only rounds. */
export function planVisits(sizes: Sizes, random: Random) {
  return Array.from({ length: sizes.cards }, (_, card) => visitsOf(card, { sizes, random })).flat()
}

function visitsOf(card: number, { sizes, random }: { sizes: Sizes; random: Random }) {
  const home = card % sizes.units
  const visits = [
    ...walk('entry', { scene: random.pick(arrivals), doors: random.between(1, 3) }),
    ...walk('exit', { scene: 'evening', doors: 1 }),
  ]
  if (random.chance(noonLeavers))
    visits.push(...walk('exit', { scene: 'noon', doors: 1 }), ...walk('entry', { scene: 'noon', doors: 1 }))
  // Visitors come for a second time in the morning, with a card that may have expired.
  if (card >= sizes.staff) visits.push(...walk('entry', { scene: 'late', doors: 1 }))
  if (card === sizes.staff - 1) visits.push(...walk('entry', { scene: 'night', doors: 2 }))
  return visits

  /** From door to door, first at the user's own controller. */
  function walk(direction: Visit['direction'], { scene, doors }: { scene: SceneName; doors: number }) {
    const { from, until } = sceneOf(scene)
    let at = random.between(from, until - 1)
    return Array.from({ length: doors }, (_, step): Visit & { at: number } => {
      if (step > 0) at = Math.min(until - 1, at + random.between(stepMs.least, stepMs.most))
      const unit = step === 0 ? home : random.between(0, sizes.units - 1)
      return { kind: 'present', at, unit, door: random.between(1, sizes.doorsPerUnit), card, direction }
    })
  }
}
