export const contacts = {
  title: 'Contacts',
  one: 'Contact',
  add: 'Add contact',
  name: 'Name',
  email: 'Email',
  phone: 'Phone',
  note: 'Note',
  notify: 'Notify about',
  notifyHint: 'Recorded for your team. No notifications are sent to contacts yet.',
  notifyKinds: {
    alarms: 'Door alarms',
    controllersOffline: 'Controllers that go offline',
    remoteAccess: 'Access requests',
    incidentReports: 'Incident reports',
  },
  notifyNone: 'nothing',
  write: 'Email {{name}}',
  call: 'Call {{name}}',
  deleteMany_one: 'Delete {{count, number}} contact?',
  deleteMany_other: 'Delete {{count, number}} contacts?',
  empty: 'No contacts yet',
  emptyHint:
    'Add the people to reach when something happens: guards, caretakers, the fire brigade. They do not have to be users.',
} as const

declare module '../text/text.ts' {
  interface Texts {
    contacts: typeof contacts
  }
}
