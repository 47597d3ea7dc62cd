import type { Place, Target } from './places.ts'

/** How accounts are called in addresses; the first was there before the matrix. */
export function refOf(target: Target) {
  return target === 'root' ? 'main' : `zebra-${target}`
}

/** Stands in every text of an account's items. */
export function canaryOf(target: Target) {
  return `canary${target}`
}

/** The number of an account's iButton: in sight for those only who may see such numbers. */
export function buttonOf(target: Target) {
  return `button${target}`
}

/** A text that betrays an account wherever it appears outside its scope. */
export type Mark = { text: string; place: Place; isButton: boolean }

export function marksOf(place: Place): Mark[] {
  const plain = [canaryOf(place), ...(place === 'root' ? [] : [refOf(place)])]
  return [...plain.map((text) => ({ text, place, isButton: false })), { text: buttonOf(place), place, isButton: true }]
}

/** In no answer whatever: the beginning of every password's hash. */
export const neverTold = '$argon2'
