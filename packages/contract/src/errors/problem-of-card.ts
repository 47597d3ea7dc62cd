import type { EncodingFault } from '@portcullis/domain/cards/card-format'
import { type Problem, problem } from './problem.ts'

/** Why a format cannot carry the facility code or the number that is printed on a card. */
export function problemOfCard(fault: EncodingFault): Problem {
  if (fault.fault !== 'out_of_range') return problem(fault.fault === 'facility_missing' ? 'required' : fault.fault)
  const maximum = Number(fault.maximum)
  return problem('above_maximum', { maximum: Number.isSafeInteger(maximum) ? maximum : fault.maximum })
}
