/** The account that the demonstration begins with; its administrator is the installation's first one. */
export const firstAccount = {
  ref: 'harbour-group',
  name: 'Harbour Group',
  defaultTimeZone: 'Africa/Johannesburg',
  /** Twice a year, and so in the accounts below that say nothing else. */
  recertifyEveryDays: 180,
} as const

/** In the order in which they can be made: a parent stands before its children. */
export const accountsBelow = [
  {
    ref: 'harbour-logistics',
    parent: 'harbour-group',
    name: 'Harbour Logistics',
    brand: 'harbour',
    defaultTimeZone: 'Africa/Johannesburg',
    recertifyEveryDays: null,
  },
  {
    ref: 'harbour-couriers',
    parent: 'harbour-logistics',
    name: 'Harbour Couriers',
    brand: null,
    defaultTimeZone: 'Europe/London',
    recertifyEveryDays: null,
  },
  {
    ref: 'quayside-labs',
    parent: 'harbour-group',
    name: 'Quayside Labs',
    brand: 'acme',
    defaultTimeZone: 'Europe/London',
    recertifyEveryDays: 90,
  },
] as const

export type AccountRef = typeof firstAccount.ref | (typeof accountsBelow)[number]['ref']
