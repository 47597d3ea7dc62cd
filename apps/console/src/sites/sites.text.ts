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
  exportDoors: 'Export doors',
  empty: 'No sites yet',
  emptyHint: 'A site is a place with doors. Doors, rules and events belong to a site.',
} as const

declare module '../text/text.ts' {
  interface Texts {
    sites: typeof sites
  }
}
