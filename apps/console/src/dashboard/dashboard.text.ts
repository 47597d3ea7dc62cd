export const dashboard = {
  title: 'Dashboard',
  day: '{{day}}, {{zone}}',
  /** The labels of numbers of doors and controllers. */
  figures: {
    forced: 'Forced',
    held: 'Held open',
    lockdown: 'Locked down',
    blocked: 'Blocked',
    unlocked: 'Unlocked',
    open: 'Open',
    closed: 'Closed',
    unknown: 'Unknown',
    disabled: 'Disabled',
    offline: 'Offline',
    out_of_step: 'Out of sync',
    too_much: 'Over capacity',
    never_seen: 'Never seen',
    online: 'Online',
    out_of_service: 'Disabled',
  },
  doors: 'Doors now',
  allSites: 'All sites',
  doorsWell: 'All doors are normal.',
  noDoors: 'No doors yet.',
  unusualDoors: 'Doors needing attention',
  doorsOf: 'Doors: {{state}}',
  noSuchDoor: 'No doors are in this state now.',
  showMore_one: 'Show {{count, number}} more',
  showMore_other: 'Show {{count, number}} more',
  unread_one: 'And {{count, number}} more',
  unread_other: 'And {{count, number}} more',
  silentDoors_one: '{{count, number}} door shows its last known state: its controller is offline.',
  silentDoors_other: '{{count, number}} doors show their last known state: their controllers are offline.',
  doorsWithoutRoom_one:
    '{{count, number}} door is not on its controller, which has no room for it. The figures above count its last known state.',
  doorsWithoutRoom_other:
    '{{count, number}} doors are not on their controllers, which have no room for them. The figures above count their last known state.',
  units: 'Controllers',
  allUnits: 'All controllers',
  unitsWell: 'All controllers are online and in sync.',
  noUnits: 'No controllers yet.',
  troubledUnits: 'Controllers needing attention',
  moreUnits_one: 'And {{count, number}} more controller',
  moreUnits_other: 'And {{count, number}} more controllers',
  stepOfFirst: 'Out of sync: only the first {{count, number}} controllers were checked.',
  showUnits: 'Show',
  unitFaults: {
    not_compiled_one:
      '{{count, number}} controller keeps its previous configuration: the server could not prepare the current one. The reason is in the server’s log.',
    not_compiled_other:
      '{{count, number}} controllers keep their previous configurations: the server could not prepare the current ones. The reason is in the server’s log.',
    implausible_version_one:
      '{{count, number}} controller gets no changes: it reports an impossible configuration version. Reset it and enrol it again.',
    implausible_version_other:
      '{{count, number}} controllers get no changes: they report impossible configuration versions. Reset them and enrol them again.',
    behind_policy_one:
      '{{count, number}} controller decides by the previous policy: the server has not prepared the latest changes yet. If this lasts for minutes, check the server’s log and load.',
    behind_policy_other:
      '{{count, number}} controllers decide by the previous policy: the server has not prepared the latest changes yet. If this lasts for minutes, check the server’s log and load.',
  },
  since: 'since {{time}}',
  heard: 'last heartbeat {{time}}',
  today: 'Today by hour',
  allEvents: 'All of today’s events',
  usually: 'usually {{count, number}} at this time on a {{weekday}}',
  usual: 'Usual for a {{weekday}}',
  chart: { granted: 'Access granted, by hour', denied: 'Access denied, by hour' },
  refusals: 'Why access was denied today',
  noRefusals: 'No access denied today.',
  alarms: 'Alarms and denials, last 24 hours',
  allAlarms_one: 'All {{count, number}}',
  allAlarms_other: 'All {{count, number}}',
  noAlarms: 'No alarms and no denials.',
  duress: 'Duress PIN',
  unknownCard: 'Unknown card {{number}}',
  requests: 'Access requests',
  allRequests: 'All access requests',
  noRequests: 'No requests are waiting.',
  moreRequests_one: '{{count, number}} more waiting',
  moreRequests_other: '{{count, number}} more waiting',
} as const

declare module '../text/text.ts' {
  interface Texts {
    dashboard: typeof dashboard
  }
}
