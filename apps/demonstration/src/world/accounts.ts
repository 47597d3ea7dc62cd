/** The first account of the demonstration; its administrator is that of the installation. */
export const firstAccount = {
  ref: 'harbour-group',
  name: 'Harbour Group',
  defaultTimeZone: 'Africa/Johannesburg',
  /** Twice a year, also in accounts below without their own setting. */
  recertifyEveryDays: 180,
} as const

/** In the order of their creation: each parent before its children. */
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
