export const sites = {
  title: 'Sites',
  one: 'Site',
  add: 'Add site',
  edit: 'Edit site',
  holidaysOf: 'Holidays: {{calendars}}',
  name: 'Name',
  address: 'Address',
  location: 'Location',
  timeZone: 'Time zone',
  timeZoneHint: 'Schedules at this site use this time zone.',
  calendars: 'Holiday calendars',
  calendarsHint: 'This site also follows these holiday calendars. Press Enter after each name, such as ZA.',
  move: 'Move to another account…',
  moveTitle: 'Move {{name}} to another account?',
  moveNow: 'Move site',
  moveUnits_one: '{{count, number}} controller moves along',
  moveUnits_other: '{{count, number}} controllers move along',
  moveAlone: 'Only the site moves: it has no doors and no controllers.',
  moveNoChange: 'The same users can see this site in the new account.',
  gains_one: '{{count, number}} user will see this site and its doors',
  gains_other: '{{count, number}} users will see this site and its doors',
  loses_one: '{{count, number}} user will no longer see this site and its doors',
  loses_other: '{{count, number}} users will no longer see this site and its doors',
  changes_one: '{{count, number}} user will have another role for this site and its doors',
  changes_other: '{{count, number}} users will have another role for this site and its doors',
  moveHint:
    'Events and the audit log stay in this account. A move cannot be undone. If you move the site back, add it and its doors to groups and rules again.',
  moved: 'Moved {{name}}',
  exportDoors: 'Export doors',
  empty: 'No sites yet',
  emptyHint: 'A site is a place with doors. Doors, rules and events belong to a site.',
} as const

declare module '../text/text.ts' {
  interface Texts {
    sites: typeof sites
  }
}
