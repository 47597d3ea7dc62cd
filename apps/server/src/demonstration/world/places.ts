import type { DoorMode } from '@portcullis/domain/policy'
import type { AccountRef } from './accounts.ts'

type Place = {
  account: AccountRef
  site: string
  timeZone: string
  address: string
  location: { lat: number; lng: number }
  calendars: readonly string[]
  /** The controller that all its doors are wired to. */
  unit: { name: string; serial: string }
  /** Wired to the unit in this order, from number 1 on. */
  doors: readonly PlacedDoor[]
}

type PlacedDoor = {
  name: string
  /** `both`: a reader on either side; `in`: leaving is by a button. */
  readers: 'in' | 'both'
  heldOpenAfterSeconds?: number
  enabled?: boolean
  mode?: DoorMode
}

export const virtualModel = 'Virtual controller'

export const places: readonly Place[] = [
  {
    account: 'harbour-group',
    site: 'Cold Store North',
    timeZone: 'Africa/Johannesburg',
    address: '14 Duncan Road, Table Bay Harbour, Cape Town',
    location: { lat: -33.9109, lng: 18.4372 },
    calendars: ['ZA', 'Stocktaking'],
    unit: { name: 'Cold Store controller', serial: 'PV-2001' },
    doors: [
      { name: 'Gatehouse', readers: 'both' },
      { name: 'Main entrance', readers: 'both' },
      { name: 'Loading Bay 1', readers: 'in', heldOpenAfterSeconds: 60 },
      { name: 'Loading Bay 2', readers: 'in', heldOpenAfterSeconds: 60 },
      { name: 'Freezer 4', readers: 'both', heldOpenAfterSeconds: 20 },
      { name: 'Plant room', readers: 'in' },
      { name: 'Bonded store', readers: 'in' },
      { name: 'Chemical store', readers: 'in', mode: 'lockdown' },
    ],
  },
  {
    account: 'harbour-group',
    site: 'Harbour House',
    timeZone: 'Africa/Johannesburg',
    address: '2 Dock Road, Foreshore, Cape Town',
    location: { lat: -33.9165, lng: 18.4263 },
    calendars: ['ZA'],
    unit: { name: 'Harbour House controller', serial: 'PV-2002' },
    doors: [
      { name: 'Reception', readers: 'both' },
      { name: 'Server room', readers: 'in' },
      { name: 'Car park', readers: 'both', heldOpenAfterSeconds: 45 },
      { name: 'Roof hatch', readers: 'in', mode: 'blocked' },
    ],
  },
  {
    account: 'harbour-group',
    site: 'London Office',
    timeZone: 'Europe/London',
    address: '31 Rotherhithe Street, London SE16',
    location: { lat: 51.5013, lng: -0.0527 },
    calendars: ['UK', 'Building works'],
    unit: { name: 'London controller', serial: 'PV-2003' },
    doors: [
      { name: 'Street door', readers: 'both' },
      { name: 'Mezzanine door', readers: 'in', enabled: false },
    ],
  },
  {
    account: 'harbour-logistics',
    site: 'Durban Cross-dock',
    timeZone: 'Africa/Johannesburg',
    address: '88 Maydon Road, Maydon Wharf, Durban',
    location: { lat: -29.8791, lng: 31.0069 },
    calendars: ['ZA'],
    unit: { name: 'Cross-dock controller', serial: 'PV-3001' },
    doors: [
      { name: 'Dock gate', readers: 'both' },
      { name: 'Dispatch office', readers: 'in' },
    ],
  },
  {
    account: 'harbour-couriers',
    site: 'Felixstowe Yard',
    timeZone: 'Europe/London',
    address: 'Dock Gate 2, Trinity Avenue, Felixstowe',
    location: { lat: 51.9611, lng: 1.3186 },
    calendars: ['UK'],
    unit: { name: 'Yard controller', serial: 'PV-3002' },
    doors: [
      { name: 'Yard gate', readers: 'both' },
      { name: 'Sorting hall', readers: 'in' },
    ],
  },
  {
    account: 'quayside-labs',
    site: 'Salford Laboratory',
    timeZone: 'Europe/London',
    address: '5 The Quays, Salford',
    location: { lat: 53.4724, lng: -2.2977 },
    calendars: ['UK'],
    unit: { name: 'Laboratory controller', serial: 'PV-4001' },
    doors: [
      { name: 'Airlock', readers: 'both' },
      { name: 'Sample store', readers: 'in' },
    ],
  },
]

export const doorGroups = [
  { account: 'harbour-group', name: 'Loading bays', doors: ['Loading Bay 1', 'Loading Bay 2'] },
  { account: 'harbour-group', name: 'Plant rooms', doors: ['Plant room', 'Server room', 'Roof hatch'] },
  { account: 'harbour-group', name: 'Cold rooms', doors: ['Freezer 4', 'Bonded store'] },
  { account: 'harbour-logistics', name: 'Dock doors', doors: ['Dock gate', 'Dispatch office'] },
] as const

export const siteGroups: readonly { account: AccountRef; name: string; sites: readonly string[] }[] = [
  { account: 'harbour-group', name: 'Cape Town', sites: ['Cold Store North', 'Harbour House'] },
  {
    account: 'harbour-group',
    name: 'All sites',
    sites: places.map(({ site }) => site),
  },
]
