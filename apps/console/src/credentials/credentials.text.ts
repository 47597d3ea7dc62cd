export const credentials = {
  title: 'Credentials',
  one: 'Credential',
  add: 'Add credential',
  user: 'User',
  status: 'Status',
  statuses: { active: 'Active', suspended: 'Suspended', lost: 'Lost', stolen: 'Stolen', revoked: 'Revoked' },
  kind: 'Kind',
  number: 'Number',
  numberHint: 'Letters, digits and hyphens. A PIN has 4 to 8 digits and is not shown again.',
  duress: 'Duress PIN',
  duressHint: 'It opens the door as usual and raises a silent alarm.',
  statusOf: 'Status of {{number}}',
  hiddenNumber: 'Number hidden',
  validFrom: 'Valid from',
  validUntil: 'Valid until',
  until: 'until {{until}}',
  from: 'from {{from}}',
  none: 'No credentials yet: this user cannot open any door.',
  noRoomAt: 'No room at {{unit}} ({{doors}})',
  doors_one: '{{count, number}} door',
  doors_other: '{{count, number}} doors',
  noRoomHint: 'Some of these credentials are not on the controller, which denies them as unknown.',
  remove: 'Remove {{number}}',
  kinds: { card: 'Card', pin: 'PIN', iButton: 'iButton', qr: 'QR code', mobile: 'Mobile' },
  removeQuestion: 'Remove {{number}}? It will no longer open any door, and its number can be used again.',
  removeNow: 'Remove',
  afterSaving: 'Save the user first, then add credentials.',
} as const

declare module '../text/text.ts' {
  interface Texts {
    credentials: typeof credentials
  }
}
