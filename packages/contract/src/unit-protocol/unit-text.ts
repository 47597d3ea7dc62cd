import { z } from 'zod'

/**
 * Text of a unit, at most `max` characters long. Characters that the database cannot store are replaced: a record with
 * one must not be refused for ever.
 */
export function unitText(max: number) {
  return z
    .string()
    .max(max)
    .overwrite((text) => text.replaceAll('\0', '\uFFFD').toWellFormed())
}
