export const remote = {
  notifications: 'Notifications',
  list: 'Access requests',
  waiting_one: '{{count}} request waits for a decision',
  waiting_other: '{{count}} requests wait for a decision',
  none: 'Nobody is asking',
  noneHint: 'Requests for access appear here, with the time that is left to decide.',
  all: 'All requests',
  grant: 'Grant',
  deny: 'Deny',
  clear: 'Clear',
  left: '{{seconds}} seconds left',
  secondsShort: '{{seconds}} s',
  own: 'Your own request: somebody else has to decide.',
  newRequest: 'New Access Requested',
  granted: 'Access granted',
  grantFailed: 'Access grant failed',
  denied: 'Access denied',
  denyFailed: 'Access deny failed',
  sound: 'Sound',
  browser: 'Browser notifications',
  browserRefused: 'This browser does not allow them. Allow notifications for this page first.',
  asked: '{{user}} at {{door}}, {{site}}',
  title: 'Remote access',
  empty: 'No request yet',
  emptyHint: 'Who asks to be let in, at a door that needs approval or from afar, stands here with what became of it.',
  requestedAt: 'Requested',
  user: 'Who',
  door: 'Door',
  site: 'Site',
  status: 'Status',
  decidedBy: 'Decided by',
  decidedAt: 'Decided',
  sentAt: 'Sent',
  openedAt: 'Opened',
  delivery: 'At the door',
  why: 'Why not',
  deliveries: {
    waiting: 'On its way',
    sent: 'Sent to the controller',
    opened: 'Opened',
    not_delivered: 'Not delivered',
  },
  statuses: { Requested: 'Requested', Granted: 'Granted', Denied: 'Denied', Expired: 'Expired' },
} as const

/** Texts of the collection itself; those of its screens are under `remote`. */
export const tasks = {
  one: 'Request',
} as const

declare module '../text/text.ts' {
  interface Texts {
    remote: typeof remote
    tasks: typeof tasks
  }
}
