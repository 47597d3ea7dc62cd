export const credentials = {
  title: 'Credentials',
  one: 'Credential',
  add: 'Add credential',
  user: 'Person',
  status: 'Status',
  kind: 'Kind',
  number: 'Number',
  numberHint: 'Letters, digits and hyphens.',
  statusOf: 'Status of {{number}}',
  hiddenNumber: 'Number hidden',
  validFrom: 'Valid from',
  validUntil: 'Valid until',
  until: 'until {{until}}',
  from: 'from {{from}}',
  none: 'No credential yet: this person can open no door.',
  remove: 'Remove {{number}}',
  kinds: { card: 'Card', iButton: 'iButton', qr: 'QR code', mobile: 'Mobile' },
  removeQuestion: 'Remove {{number}}? It then opens nothing, and its number is free again.',
  removeNow: 'Remove',
  afterSaving: 'Save the person first; then credentials can be added.',
} as const

declare module '../text/text.ts' {
  interface Texts {
    credentials: typeof credentials
  }
}
