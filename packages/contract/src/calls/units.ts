import { z } from 'zod'

/** `POST /api/units/{id}/enrolment`: a code with which a unit introduces itself, once, within its time. */
export const unitEnrolment = z.object({ code: z.string(), expiresAt: z.iso.datetime() })
export type UnitEnrolment = z.output<typeof unitEnrolment>

export const commandStatuses = ['requested', 'sent', 'confirmed', 'refused', 'expired', 'not_delivered'] as const

/**
 * `POST /api/doors/{id}/unlockOnce` answers the command; `GET /api/doors/commands/{id}` what became of it.
 * Never optimistic: requested, sent to the unit, confirmed by the unit, each with its time.
 */
export const doorCommand = z.object({
  _id: z.uuid(),
  door: z.uuid(),
  action: z.literal('unlockOnce'),
  status: z.enum(commandStatuses),
  detail: z.string().nullable(),
  requestedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  sentAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
})
export type DoorCommand = z.output<typeof doorCommand>
