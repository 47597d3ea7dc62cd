import { z } from 'zod'
import { text } from './fields.ts'
import { fieldCode } from './errors/field-codes.ts'
import { languageCodes } from './languages.ts'

/** The name of an item: any script, no control characters, at most 120 characters. */
export function name() {
  return text(120).regex(/^\P{Cc}+$/u, fieldCode('control_characters'))
}

/** A language of the console and of emails. */
export const language = () => z.enum(languageCodes)

/** First path segments that can't be the ref of an account. */
export const reservedRefs = [
  'api',
  'assets',
  'authentication',
  'brands',
  'guest',
  'primus',
  'units',
  'health',
  'config',
  'metrics',
  'null',
  'index',
  'favicon',
  'robots',
  'static',
  'socket',
] as const

/** The short, stable, public name of an account: `acme-hq`. */
export function accountRef() {
  return z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,38}[a-z0-9]$/, fieldCode('invalid_ref'))
    .refine((ref) => !reservedRefs.some((reserved) => reserved === ref), fieldCode('reserved_ref'))
}

export function timeZone() {
  return z.string().refine(isTimeZone, fieldCode('unknown_time_zone'))
}

/** Looking up a zone takes longer than all other checks of a form together. */
const validZones = new Set<string>()
const maxZones = 1_000

/**
 * Intl accepts names that are not IANA's (`CST`), and Temporal accepts more than names; some browsers lack Temporal.
 */
export function isTimeZone(value: string) {
  if (validZones.has(value)) return true
  if (/^[+-]/.test(value)) return false
  try {
    Intl.DateTimeFormat('en', { timeZone: value })
    if (typeof Temporal !== 'undefined') Temporal.Now.zonedDateTimeISO(value)
  } catch {
    return false
  }
  if (validZones.size < maxZones) validZones.add(value)
  return true
}
