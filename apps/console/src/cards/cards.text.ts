export const cards = {
  formats: {
    wiegand26: 'Wiegand 26 bits',
    wiegand34: 'Wiegand 34 bits',
    wiegand37: 'Wiegand 37 bits, no facility code',
    wiegand37Facility: 'Wiegand 37 bits, facility code',
  },
  printed: '{{facility}} / {{printed}}',
  mayBe: 'This card may be',
  assignEnded: 'Its status is {{status}}. It opens no door until you change the status in the user’s credentials.',
  unknownFormat: 'Number as read only',
  assign: 'Assign to a user',
  assignTitle: 'Assign card {{number}}',
  user: 'User',
  card: 'Printed on the card',
  assignNow: 'Assign',
  assigned: 'Card assigned to {{user}}',
  readAtDoor: 'Read at a door',
  readAtDoorNow: 'Read at a door…',
  door: 'Door',
  present_one: 'Present the card at this door. {{count, number}} second left.',
  present_other: 'Present the card at this door. {{count, number}} seconds left.',
  nothingRead: 'No unassigned card was read. Check the door, then try again.',
  readEnded: '{{number}} is unassigned, but not free: its status is {{status}}. Present another card.',
  readAgain: 'Read again',
  stopReading: 'Stop',
  offline: '{{unit}} is offline, so no card arrives from this door.',
  noController: 'This door has no controller, so no card arrives from it.',
  readUnassigned: '{{number}} is unassigned so far. Add gives it to this user.',
} as const

declare module '../text/text.ts' {
  interface Texts {
    cards: typeof cards
  }
}
