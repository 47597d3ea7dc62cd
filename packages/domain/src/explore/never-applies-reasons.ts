/** What a rule that never applies lacks; `reader`: its doors have none in its direction. */
export const neverAppliesReasons = ['who', 'where', 'reader', 'schedule', 'ended'] as const
export type NeverAppliesReason = (typeof neverAppliesReasons)[number]
