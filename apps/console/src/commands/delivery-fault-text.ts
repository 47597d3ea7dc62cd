import { deliveryFaults } from '@portcullis/contract/calls/units'
import { reasonCodes } from '@portcullis/domain/decision/reasons'
import { text } from '../text/text.ts'

/** Why a command failed: a code of the server, a reason code of the controller, or the controller's own text. */
export function deliveryFaultText(detail: string): string {
  const fault = deliveryFaults.find((each) => each === detail)
  if (fault) return text(`doors.deliveryFaults.${fault}`)
  if (isInterlock(detail)) return text(`why.headline.${detail}`)
  const reason = reasonCodes.find((each) => each === detail)
  return reason ? text(`reason.${reason}`) : detail
}

const interlockReasons = ['interlock', 'interlock_unavailable'] as const

/** Whether a reason is about the other doors of an interlock, whose present state helps then. */
export function isInterlock(reason: string | null): reason is (typeof interlockReasons)[number] {
  return interlockReasons.some((each) => each === reason)
}
