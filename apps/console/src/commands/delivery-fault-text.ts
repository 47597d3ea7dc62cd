import { deliveryFaults } from '@portcullis/contract/calls/units'
import { reasonCodes } from '@portcullis/domain/decision/reasons'
import { text } from '../text/text.ts'

/** Why a command failed: a code of the server, a reason code of the controller, or the controller's own text. */
export function deliveryFaultText(detail: string): string {
  const fault = deliveryFaults.find((each) => each === detail)
  if (fault) return text(`doors.deliveryFaults.${fault}`)
  const reason = reasonCodes.find((each) => each === detail)
  return reason ? text(`reason.${reason}`) : detail
}
