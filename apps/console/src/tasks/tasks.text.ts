export const remote = {
  notifications: 'Notifications',
  title: 'Access requests',
  waiting_one: '{{count}} request waiting for a decision',
  waiting_other: '{{count}} requests waiting for a decision',
  none: 'No requests',
  noneHint: 'Access requests appear here, with the time left to decide.',
  all: 'All access requests',
  grant: 'Grant',
  deny: 'Deny',
  clear: 'Clear',
  left_one: '{{count}} second left',
  left_other: '{{count}} seconds left',
  own: 'This is your own request. Another user must decide.',
  withdraw: 'Withdraw',
  withdrawn: 'Request withdrawn',
  addNote: 'Add note',
  changeNote: 'Change note',
  gone: 'Request not found',
  goneHint: 'It was withdrawn, or is outside this account.',
  newRequest: 'New Access Requested',
  granted: 'Access granted',
  grantFailed: 'Access grant failed',
  denied: 'Access denied',
  denyFailed: 'Access deny failed',
  sound: 'Sound',
  browser: 'Browser notifications',
  browserRefused: 'Your browser blocks notifications. Allow them for this page first.',
  userAtDoor: '{{user}} at {{door}}, {{site}}',
  empty: 'No requests yet',
  emptyHint: 'Requests from users elsewhere or at doors that require approval appear here, with their outcome.',
  deliveries: {
    waiting: 'Waiting',
    sent: 'Sent to the controller',
    opened: 'Opened',
    not_delivered: 'Not delivered',
  },
  statuses: { Requested: 'Requested', Granted: 'Granted', Denied: 'Denied', Expired: 'Expired' },
} as const

/** Texts of the collection itself; those of its screens are under `remote`. */
export const tasks = {
  one: 'Request',
  note: 'Note',
  createdAt: 'Requested',
  userName: 'User',
  doorName: 'Door',
  siteName: 'Site',
  status: 'Status',
  decidedByName: 'Decided by',
  decidedAt: 'Decided',
  sentAt: 'Sent',
  openedAt: 'Opened',
  delivery: 'At the door',
  deliveryDetail: 'Failure',
  expiresAt: 'Expires',
} as const

declare module '../text/text.ts' {
  interface Texts {
    remote: typeof remote
    tasks: typeof tasks
  }
}
