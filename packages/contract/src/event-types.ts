/** Requests for remote access, or for approval at a door, and their outcomes. */
export const remoteEventTypes = [
  'access.remote_requested',
  'access.remote_granted',
  'access.remote_denied',
  'access.remote_expired',
] as const
export type RemoteEventType = (typeof remoteEventTypes)[number]

/** The event types that the product produces; the browser gets them with the runtime configuration. */
export const accessEventTypes = [
  'access.granted',
  'access.denied',
  'access.guest_refused',
  ...remoteEventTypes,
] as const

export const doorEventTypes = [
  'door.opened',
  'door.closed',
  'door.forced',
  'door.held',
  'door.restored',
  'door.exit_requested',
  'door.unlocked_once',
  'door.mode_changed',
] as const

export const unitEventTypes = [
  'unit.enrolled',
  'unit.online',
  'unit.offline',
  'unit.power_on',
  'unit.clock_wrong',
  'unit.clock_right',
  'unit.out_of_sync',
  'unit.in_sync',
  'unit.capacity_exceeded',
  'unit.capacity_restored',
  'unit.tamper',
  'unit.tamper_ended',
  'unit.on_battery',
  'unit.on_mains',
  'unit.sync_started',
  'unit.sync_ok',
  'unit.sync_failed',
  'unit.log_gap',
  'unit.unreadable_record',
  'unit.refused',
] as const

export const administrationEventTypes = [
  'administration.signed_in',
  'administration.sign_in_failed',
  'administration.second_factor_on',
  'administration.second_factor_off',
  'administration.second_factor_reset',
  'administration.recovery_codes_renewed',
  'administration.recovery_code_used',
  'administration.password_changed',
  'administration.password_reset',
  'administration.email_changed',
  'administration.exported',
  'administration.recertified',
  'administration.refused',
  'administration.lockdown_started',
  'administration.lockdown_ended',
] as const
export type AdministrationEventType = (typeof administrationEventTypes)[number]

export const eventTypes = [...accessEventTypes, ...doorEventTypes, ...unitEventTypes] as const
export const allEventTypes = [...eventTypes, ...administrationEventTypes] as const
export type EventType = (typeof allEventTypes)[number]

export const eventCategories = ['access', 'door', 'unit', 'administration'] as const
export const eventSeverities = ['info', 'notice', 'warning', 'alarm'] as const
