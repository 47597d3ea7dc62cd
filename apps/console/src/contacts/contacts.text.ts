export const contacts = {
  title: 'Contacts',
  one: 'Contact',
  add: 'Add contact',
  name: 'Name',
  email: 'Email',
  phone: 'Telephone',
  note: 'Note',
  notify: 'Told of',
  notifyHint: 'What this contact hears of. Nothing chosen: only kept here, to be called by hand.',
  toldOf: {
    alarms: 'Alarms at doors',
    controllersOffline: 'Controllers that go offline',
    remoteAccess: 'Requests for remote access',
    incidentReports: 'Incident reports',
  },
  notTold: 'of nothing',
  write: 'Write to {{name}}',
  call: 'Call {{name}}',
  deleteMany_one: 'Delete {{count, number}} contact?',
  deleteMany_other: 'Delete {{count, number}} contacts?',
  empty: 'No contacts yet',
  emptyHint:
    'Keep here whom to reach when something happens: guards, caretakers, the fire brigade. They need not be users.',
} as const

declare module '../text/text.ts' {
  interface Texts {
    contacts: typeof contacts
  }
}
