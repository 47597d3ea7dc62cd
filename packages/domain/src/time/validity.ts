export type Validity = { readonly validFrom: string | null; readonly validUntil: string | null }

/** Valid from the first instant up to, but not including, the last; an invalid instant refuses. */
export function validityRefusal({ validFrom, validUntil }: Validity, at: number): 'not_yet_valid' | 'expired' | null {
  if (validFrom !== null && !(at >= Date.parse(validFrom))) return 'not_yet_valid'
  if (validUntil !== null && !(at < Date.parse(validUntil))) return 'expired'
  return null
}
