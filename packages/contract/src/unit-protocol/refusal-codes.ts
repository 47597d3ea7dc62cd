/** Why the server closes the connection of a unit. */
export const refusalCodes = [
  'malformed',
  'unknown_unit',
  'bad_signature',
  'bad_code',
  'serial_mismatch',
  'already_enrolled',
  'already_connected',
  'key_replaced',
  'out_of_service',
  'too_slow',
  'too_many_attempts',
  'too_many_connections',
  'unexpected',
  'unencrypted',
] as const
export type RefusalCode = (typeof refusalCodes)[number]
