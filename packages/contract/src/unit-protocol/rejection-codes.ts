/** Why a unit rejects a configuration. The reason is one of these codes, alone or before `: ` and the unit's own words. */
export const rejectionCodes = [
  'bad_signature',
  'bad_hash',
  'old_version',
  'other_unit',
  'unreadable',
  'no_room',
  'chunk_missing',
  'base_unknown',
  'result_differs',
] as const
export type RejectionCode = (typeof rejectionCodes)[number]

/** The code of a reason; undefined if it has only the unit's own words. */
export function rejectionCodeOf(reason: string): RejectionCode | undefined {
  const [code] = reason.split(':', 1)
  return rejectionCodes.find((each) => each === code)
}
