import { engravedNumber } from '@portcullis/domain/cards/i-button'
import type { Place, Target } from './places.ts'

/** The ref of an account in URLs; the root account exists before the matrix. */
export function refOf(target: Target) {
  return target === 'root' ? 'main' : `zebra-${target}`
}

/** Part of every text of an account's items. */
export function canaryOf(target: Target) {
  return `canary${target}`
}

/** The engraved number of an account's iButton, visible only to users who may view iButton numbers. */
export function buttonOf(target: Target) {
  const serial = target.split('').reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 0)
  return engravedNumber(serial)
}

/** A text that reveals an account if it appears outside its scope. */
export type Mark = { text: string; place: Place; isButton: boolean }

export function marksOf(place: Place): Mark[] {
  const plain = [canaryOf(place), ...(place === 'root' ? [] : [refOf(place)])]
  return [...plain.map((text) => ({ text, place, isButton: false })), { text: buttonOf(place), place, isButton: true }]
}

/** The prefix of every password hash, which no answer may contain. */
export const neverReturned = '$argon2'
