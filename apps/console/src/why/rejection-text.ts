import { rejectionCodeOf } from '@portcullis/contract/unit-protocol/rejection-codes'
import { text } from '../text/text.ts'

/** Why a controller rejected its configuration; a reason without a code is shown as the controller's own words. */
export function rejectionText(reason: string): string {
  const code = rejectionCodeOf(reason)
  return code ? text(`events.rejections.${code}`) : text('events.rejections.ownWords', { reason })
}
