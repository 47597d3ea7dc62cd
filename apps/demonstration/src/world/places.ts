import type { AccountRef } from './accounts.ts'

type Place = {
  account: AccountRef
  site: string
  timeZone: string
  address: string
  location: { lat: number; lng: number }
  calendars: readonly string[]
  /** The controllers of the site, with the doors that are wired to each in this order, from number 1 on. */
  units: readonly { name: string; serial: string; doors: readonly PlacedDoor[] }[]
}

type PlacedDoor = {
  name: string
  /** `both`: a reader on either side; `in`: leaving is by a button. */
  readers: 'in' | 'both'
  heldOpenAfterSeconds?: number
  /** An operator approves access. */
  requiresRemoteAuth?: true
}

export const virtualModel = 'Virtual controller'

/** The permanent faults, which make every state of the console visible. */
export const troubles = {
  offline: { serial: 'PV-2005' },
  heldOpen: { serial: 'PV-2004', unitDoor: 2, door: 'Loading Bay 3' },
  /** They do not apply the newest configuration: one never answers, one has no room for it. */
  outOfStep: [
    { serial: 'PV-2006', unitDoor: 3, memory: 'stuck' },
    { serial: 'PV-3003', unitDoor: 2, memory: 'full' },
  ],
} as const

export const places: readonly Place[] = [
  {
    account: 'harbour-group',
    site: 'Cold Store North',
    timeZone: 'Africa/Johannesburg',
    address: '14 Duncan Road, Table Bay Harbour, Cape Town',
    location: { lat: -33.9109, lng: 18.4372 },
    calendars: ['ZA', 'Stocktaking'],
    units: [
      {
        name: 'Cold Store controller',
        serial: 'PV-2001',
        doors: [
          { name: 'Gatehouse', readers: 'both' },
          { name: 'Main entrance', readers: 'both' },
          { name: 'Loading Bay 1', readers: 'in', heldOpenAfterSeconds: 60 },
          { name: 'Loading Bay 2', readers: 'in', heldOpenAfterSeconds: 60 },
          { name: 'Freezer 4', readers: 'both', heldOpenAfterSeconds: 20 },
          { name: 'Plant room', readers: 'in' },
          { name: 'Bonded store', readers: 'in' },
          { name: 'Chemical store', readers: 'in' },
        ],
      },
      {
        name: 'Yard controller',
        serial: 'PV-2004',
        doors: [
          { name: 'Truck gate', readers: 'both', heldOpenAfterSeconds: 90 },
          { name: 'Loading Bay 3', readers: 'in', heldOpenAfterSeconds: 10 },
          { name: 'Loading Bay 4', readers: 'in', heldOpenAfterSeconds: 60 },
        ],
      },
      {
        name: 'Freezer wing controller',
        serial: 'PV-2005',
        doors: [
          { name: 'Freezer 5', readers: 'both', heldOpenAfterSeconds: 20 },
          { name: 'Ripening room', readers: 'in' },
        ],
      },
    ],
  },
  {
    account: 'harbour-group',
    site: 'Harbour House',
    timeZone: 'Africa/Johannesburg',
    address: '2 Dock Road, Foreshore, Cape Town',
    location: { lat: -33.9165, lng: 18.4263 },
    calendars: ['ZA'],
    units: [
      {
        name: 'Harbour House controller',
        serial: 'PV-2002',
        doors: [
          { name: 'Reception', readers: 'both' },
          { name: 'Server room', readers: 'in', requiresRemoteAuth: true },
          { name: 'Car park', readers: 'both', heldOpenAfterSeconds: 45 },
          { name: 'Roof hatch', readers: 'in' },
        ],
      },
      {
        name: 'Upper floors controller',
        serial: 'PV-2006',
        doors: [
          { name: 'First floor', readers: 'in' },
          { name: 'Second floor', readers: 'in' },
          { name: 'Archive', readers: 'in' },
          { name: 'Boardroom wing', readers: 'in' },
        ],
      },
    ],
  },
  {
    account: 'harbour-group',
    site: 'London Office',
    timeZone: 'Europe/London',
    address: '31 Rotherhithe Street, London SE16',
    location: { lat: 51.5013, lng: -0.0527 },
    calendars: ['UK', 'Building works'],
    units: [
      {
        name: 'London controller',
        serial: 'PV-2003',
        doors: [
          { name: 'Street door', readers: 'both' },
          { name: 'Mezzanine door', readers: 'in' },
          { name: 'Post room', readers: 'in' },
          { name: 'Roof terrace', readers: 'in' },
        ],
      },
    ],
  },
  {
    account: 'harbour-logistics',
    site: 'Durban Cross-dock',
    timeZone: 'Africa/Johannesburg',
    address: '88 Maydon Road, Maydon Wharf, Durban',
    location: { lat: -29.8791, lng: 31.0069 },
    calendars: ['ZA'],
    units: [
      {
        name: 'Cross-dock controller',
        serial: 'PV-3001',
        doors: [
          { name: 'Dock gate', readers: 'both' },
          { name: 'Dispatch office', readers: 'in' },
          { name: 'Customs cage', readers: 'in' },
        ],
      },
      {
        name: 'Quay controller',
        serial: 'PV-3003',
        doors: [
          { name: 'Quay door A', readers: 'in', heldOpenAfterSeconds: 60 },
          { name: 'Quay door B', readers: 'in', heldOpenAfterSeconds: 60 },
          { name: 'Fuel store', readers: 'in' },
        ],
      },
    ],
  },
  {
    account: 'harbour-couriers',
    site: 'Felixstowe Yard',
    timeZone: 'Europe/London',
    address: 'Dock Gate 2, Trinity Avenue, Felixstowe',
    location: { lat: 51.9611, lng: 1.3186 },
    calendars: ['UK'],
    units: [
      {
        name: 'Yard gate controller',
        serial: 'PV-3002',
        doors: [
          { name: 'Yard gate', readers: 'both' },
          { name: 'Sorting hall', readers: 'in' },
        ],
      },
      {
        name: 'Van store controller',
        serial: 'PV-3004',
        doors: [
          { name: 'Van store', readers: 'both', heldOpenAfterSeconds: 60 },
          { name: 'Rest room', readers: 'in' },
        ],
      },
    ],
  },
  {
    account: 'quayside-labs',
    site: 'Salford Laboratory',
    timeZone: 'Europe/London',
    address: '5 The Quays, Salford',
    location: { lat: 53.4724, lng: -2.2977 },
    calendars: ['UK'],
    units: [
      {
        name: 'Laboratory controller',
        serial: 'PV-4001',
        doors: [
          { name: 'Airlock', readers: 'both', heldOpenAfterSeconds: 15 },
          { name: 'Inner airlock', readers: 'both', heldOpenAfterSeconds: 15 },
          { name: 'Sample store', readers: 'in' },
        ],
      },
      {
        name: 'Clean wing controller',
        serial: 'PV-4002',
        doors: [
          { name: 'Clean room', readers: 'in' },
          { name: 'Gas store', readers: 'in' },
        ],
      },
    ],
  },
]

export const doorGroups = [
  {
    account: 'harbour-group',
    name: 'Loading bays',
    doors: ['Loading Bay 1', 'Loading Bay 2', 'Loading Bay 3', 'Loading Bay 4'],
  },
  { account: 'harbour-group', name: 'Plant rooms', doors: ['Plant room', 'Server room', 'Roof hatch'] },
  { account: 'harbour-group', name: 'Cold rooms', doors: ['Freezer 4', 'Freezer 5', 'Ripening room', 'Bonded store'] },
  { account: 'harbour-group', name: 'Office floors', doors: ['First floor', 'Second floor', 'Archive'] },
  { account: 'harbour-logistics', name: 'Dock doors', doors: ['Dock gate', 'Dispatch office'] },
  { account: 'harbour-logistics', name: 'Quay doors', doors: ['Quay door A', 'Quay door B'] },
  { account: 'quayside-labs', name: 'Dangerous goods', doors: ['Gas store', 'Sample store'] },
] as const

/** Only one of these doors may be open at a time. */
export const interlocks = [
  { account: 'quayside-labs', name: 'Airlock, both doors', doors: ['Airlock', 'Inner airlock'] },
] as const

export const siteGroups: readonly { account: AccountRef; name: string; sites: readonly string[] }[] = [
  { account: 'harbour-group', name: 'Cape Town', sites: ['Cold Store North', 'Harbour House'] },
  { account: 'harbour-group', name: 'England', sites: ['London Office', 'Felixstowe Yard', 'Salford Laboratory'] },
  {
    account: 'harbour-group',
    name: 'All sites',
    sites: places.map(({ site }) => site),
  },
]
