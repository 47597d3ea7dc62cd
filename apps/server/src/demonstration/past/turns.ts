/** How a group spends its working days, in the time of the site of its gate. */
export type Turn = {
  group: string
  /** Where a turn begins, and ends where it has a reader on the way out. */
  gate: string
  inside: readonly string[]
  /** ISO weekdays on which it begins. */
  days: readonly number[]
  from: string
  /** On the next day where it is not after `from`. */
  until: string
  /** How often they present their card between, on average. */
  visits: number
  /** The share of the group that comes. */
  attendance: number
  hasLunch?: true
}

const weekdays = [1, 2, 3, 4, 5]
const everyDay = [1, 2, 3, 4, 5, 6, 7]

export const turns: readonly Turn[] = [
  {
    group: 'Warehouse',
    gate: 'Gatehouse',
    inside: ['Loading Bay 1', 'Loading Bay 2', 'Freezer 4', 'Main entrance'],
    days: weekdays,
    from: '06:13',
    until: '17:10',
    visits: 2.4,
    attendance: 0.9,
    hasLunch: true,
  },
  {
    group: 'Night shift',
    gate: 'Gatehouse',
    inside: ['Loading Bay 1', 'Freezer 4', 'Main entrance'],
    days: weekdays,
    from: '22:09',
    until: '05:50',
    visits: 1.2,
    attendance: 0.85,
  },
  {
    group: 'Night guards',
    gate: 'Gatehouse',
    inside: ['Plant room', 'Bonded store', 'Main entrance', 'Reception'],
    days: everyDay,
    from: '18:00',
    until: '06:05',
    visits: 4.5,
    attendance: 0.5,
  },
  {
    group: 'Cleaners',
    gate: 'Reception',
    inside: ['Car park'],
    days: weekdays,
    from: '17:16',
    until: '20:45',
    visits: 0.5,
    attendance: 0.85,
  },
  {
    group: 'Cleaners',
    gate: 'Main entrance',
    inside: ['Gatehouse'],
    days: [6],
    from: '09:15',
    until: '12:30',
    visits: 0.3,
    attendance: 0.4,
  },
  {
    group: 'Office',
    gate: 'Reception',
    inside: ['Car park', 'Reception'],
    days: weekdays,
    from: '08:05',
    until: '16:50',
    visits: 0.8,
    attendance: 0.85,
    hasLunch: true,
  },
  {
    group: 'London office',
    gate: 'Street door',
    inside: ['Street door'],
    days: weekdays,
    from: '10:14',
    until: '14:40',
    visits: 0.6,
    attendance: 0.75,
  },
  {
    group: 'Operations',
    gate: 'Main entrance',
    inside: ['Plant room', 'Gatehouse', 'Loading Bay 2', 'Server room'],
    days: weekdays,
    from: '07:00',
    until: '18:30',
    visits: 3,
    attendance: 0.8,
    hasLunch: true,
  },
  {
    group: 'Operations',
    gate: 'Main entrance',
    inside: ['Plant room', 'Freezer 4'],
    days: [6, 7],
    from: '08:30',
    until: '15:00',
    visits: 1.5,
    attendance: 0.25,
  },
  {
    group: 'Contractors',
    gate: 'Gatehouse',
    inside: ['Loading Bay 1', 'Loading Bay 2'],
    days: weekdays,
    from: '07:20',
    until: '16:20',
    visits: 0.9,
    attendance: 0.6,
  },
  {
    group: 'Dock crew',
    gate: 'Dock gate',
    inside: ['Dock gate'],
    days: [1, 2, 3, 4, 5],
    from: '05:14',
    until: '14:05',
    visits: 0.9,
    attendance: 0.9,
    hasLunch: true,
  },
  {
    group: 'Dock crew',
    gate: 'Dock gate',
    inside: ['Dock gate'],
    days: [6],
    from: '06:10',
    until: '11:30',
    visits: 0.4,
    attendance: 0.35,
  },
  {
    group: 'Dispatch',
    gate: 'Dispatch office',
    inside: ['Dock gate', 'Dispatch office'],
    days: [1, 2, 3, 4, 5, 6],
    from: '06:00',
    until: '16:00',
    visits: 1.6,
    attendance: 0.7,
  },
  {
    group: 'Couriers',
    gate: 'Yard gate',
    inside: ['Sorting hall', 'Yard gate'],
    days: weekdays,
    from: '04:16',
    until: '12:00',
    visits: 1.2,
    attendance: 0.8,
  },
  {
    group: 'Scientists',
    gate: 'Airlock',
    inside: ['Sample store', 'Airlock'],
    days: weekdays,
    from: '08:40',
    until: '17:30',
    visits: 1.6,
    attendance: 0.85,
    hasLunch: true,
  },
  {
    group: 'Lab support',
    gate: 'Airlock',
    inside: ['Sample store'],
    days: weekdays,
    from: '07:15',
    until: '15:40',
    visits: 1.5,
    attendance: 0.85,
  },
]
