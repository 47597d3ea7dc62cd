import type { NamePoolName } from '../world/name-pools.ts'

/** The estate of the large demonstration: regions, their time zones, and what its places are called. */
export const estate = { ref: 'meridian-estates', name: 'Meridian Estates', defaultTimeZone: 'Europe/London' } as const

export type Region = {
  ref: string
  name: string
  timeZone: string
  /** The hours by which its clocks are ahead of UTC, without summer time. */
  aheadHours: number
  towns: readonly string[]
  pools: readonly NamePoolName[]
}

export const regions: readonly Region[] = [
  {
    ref: 'meridian-south',
    name: 'Meridian South',
    timeZone: 'Africa/Johannesburg',
    aheadHours: 2,
    towns: ['Cape Town', 'Durban', 'Gqeberha', 'Bloemfontein', 'Mbombela', 'Kimberley', 'Stellenbosch', 'Polokwane'],
    pools: ['nguni', 'sotho', 'cape', 'durban', 'afrikaans', 'english'],
  },
  {
    ref: 'meridian-islands',
    name: 'Meridian Islands',
    timeZone: 'Europe/London',
    aheadHours: 0,
    towns: ['Leeds', 'Bristol', 'Cardiff', 'Glasgow', 'Belfast', 'Norwich', 'Hull', 'Exeter'],
    pools: ['english', 'english', 'celtic', 'southAsian', 'eastern', 'westAfrican'],
  },
  {
    ref: 'meridian-atlantic',
    name: 'Meridian Atlantic',
    timeZone: 'America/New_York',
    aheadHours: -5,
    towns: ['Halifax', 'Portland', 'Providence', 'Baltimore', 'Savannah', 'Wilmington', 'Norfolk', 'Burlington'],
    pools: ['english', 'celtic', 'westAfrican', 'seafaring', 'eastAsian', 'levant'],
  },
  {
    ref: 'meridian-straits',
    name: 'Meridian Straits',
    timeZone: 'Asia/Singapore',
    aheadHours: 8,
    towns: ['Jurong', 'Tampines', 'Bedok', 'Melaka', 'Ipoh', 'Penang', 'Kuching', 'Johor'],
    pools: ['eastAsian', 'eastAsian', 'southAsian', 'durban', 'levant', 'english'],
  },
]

/** With the towns they make the names of a hundred and sixty sites; more get a number. */
export const buildings = ['House', 'Park', 'Court', 'Works', 'Depot'] as const

export const doorNames = [
  'Main entrance',
  'Staff entrance',
  'Car park',
  'Goods in',
  'Loading dock',
  'Lift lobby 1',
  'Stairwell A',
  'Server room',
  'Plant room',
  'Archive',
  'Meeting floor',
  'Canteen',
  'Lift lobby 2',
  'Stairwell B',
  'Post room',
  'Roof',
  'Workshop',
  'Stores',
] as const

export const doorsOfUnit = 8
export const doorsOfSite = 16
export const branchesOfRegion = 5

/** Share of the events of a day at each hour of the local clock. */
export const hoursOfDay = [1, 1, 1, 1, 2, 5, 14, 34, 48, 30, 18, 16, 26, 28, 18, 16, 24, 34, 20, 8, 5, 4, 3, 2] as const

/** Share of a working day's events on each ISO weekday. */
export const weekdays = [1, 1.02, 1.03, 1, 0.92, 0.2, 0.11] as const
