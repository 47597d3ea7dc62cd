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
  timeZoneHint: 'Schedules at this site are read in its time.',
  calendars: 'Holiday calendars',
  calendarsHint: 'Whose holidays hold here besides those of all sites. Press Enter after each.',
  empty: 'No site yet',
  emptyHint: 'A site is a place with doors. Its doors, rules and events gather around it.',
} as const

declare module '../text/text.ts' {
  interface Texts {
    sites: typeof sites
  }
}
