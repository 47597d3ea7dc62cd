import type { AccountRef } from './accounts.ts'

export type Crew = {
  account: AccountRef
  /** The user group that they are members of. */
  group: string
  title: string
  names: readonly string[]
}

/** A hundred people, invented. */
export const crews: readonly Crew[] = [
  {
    account: 'harbour-group',
    group: 'Night guards',
    title: 'Security',
    names: ['Johan Botha', 'Thabo Mokoena', 'Zanele Ndlovu', 'Pieter-Willem du Toit', 'Sipho Radebe', 'Ayesha Parker'],
  },
  {
    account: 'harbour-group',
    group: 'Warehouse',
    title: 'Warehouse',
    names: [
      'Nomsa Dlamini',
      'Kagiso Molefe',
      'Fatima Jassiem',
      'Willem Steyn',
      'Lindiwe Khoza',
      'Riaan Venter',
      'Bongani Sithole',
      'Amahle Zulu',
      'Gert Coetzee',
      'Palesa Motaung',
      'Mandla Nkosi',
      'Chantelle Adonis',
      'Tebogo Sebati',
      'Yusuf Davids',
      'Nokuthula Mbatha',
      'Andile Gqirana',
    ],
  },
  {
    account: 'harbour-group',
    group: 'Night shift',
    title: 'Warehouse',
    names: [
      'Themba Xaba',
      'Marlene Fortuin',
      'Lwazi Cele',
      'Busisiwe Hadebe',
      'Ricardo Jacobs',
      'Precious Mahlangu',
      'Ntombi Shabalala',
    ],
  },
  {
    account: 'harbour-group',
    group: 'Cleaners',
    title: 'Cleaner',
    names: [
      'Gloria Makhanya',
      'Esther Banda',
      'Sizwe Mabuza',
      'Rosemary Chikwanha',
      'Joyce Phiri',
      'Patience Moyo',
      'Dineo Tau',
    ],
  },
  {
    account: 'harbour-group',
    group: 'Office',
    title: 'Office',
    names: [
      'Thandeka Mthembu',
      'Annelise van Zyl',
      'Imraan Cassiem',
      'Keabetswe Modise',
      'Maximiliaan-Alexander van der Westhuizen-Oosthuizen',
      'Hannah Abrahams',
      'ليلى حداد',
      'Devan Pillay',
      'Susan Erasmus',
      'Mpho Letsoalo',
      'Charmaine Petersen',
      'Lukas Engelbrecht',
    ],
  },
  {
    account: 'harbour-group',
    group: 'London office',
    title: 'Office',
    names: [
      'Graham Whitfield',
      'Oluwaseun Adeyemi',
      'Beatrice Cavendish-Thornbury',
      'Rajesh Chaudhary',
      'Katarzyna Wiśniewska',
      'Tom Ellery',
    ],
  },
  {
    account: 'harbour-group',
    group: 'Operations',
    title: 'Operations',
    names: [
      'Lerato Khumalo',
      'Francois Marais',
      'Naledi Tshabalala',
      'Ebrahim Salie',
      'Carla Ferreira',
      'Vusi Mthethwa',
      'Inga Lindqvist',
    ],
  },
  {
    account: 'harbour-group',
    group: 'Contractors',
    title: 'Contractor',
    names: [
      "Siobhán O'Reilly",
      'Declan Murphy',
      'Jabu Hlongwane',
      'Mohammed Rashid Ebrahim',
      'Stefan Kruger',
      'Zoltán Szabó',
      'Wayne September',
    ],
  },
  {
    account: 'harbour-logistics',
    group: 'Dock crew',
    title: 'Dock worker',
    names: [
      'Sandile Mkhize',
      'Preshni Govender',
      'Musa Ngcobo',
      'Thulani Buthelezi',
      'Sivapalan Venkataramanan Krishnamurthy-Naidoo',
      'Nonhlanhla Gumede',
      'Kavitha Reddy',
      'Bheki Zondi',
      'Deon Labuschagne',
      'Ayanda Mchunu',
    ],
  },
  {
    account: 'harbour-logistics',
    group: 'Dispatch',
    title: 'Dispatcher',
    names: ['Rukshana Moosa', 'Neville Chetty', 'Hlengiwe Ntuli', 'Craig Bouwer'],
  },
  {
    account: 'harbour-couriers',
    group: 'Couriers',
    title: 'Courier',
    names: [
      'Darren Pike',
      'Agnieszka Nowak',
      'Kwame Boateng',
      'Lucy Fairweather',
      'Ionuț Popescu',
      'Samira Khalil',
      'Gary Thistlewood',
      'Mei-Ling Chow',
    ],
  },
  {
    account: 'quayside-labs',
    group: 'Scientists',
    title: 'Scientist',
    names: [
      'Priya Raman',
      'נועם לוי',
      'Eleanor Ashworth',
      'Chidi Okonkwo',
      'Maren Halvorsen',
      'Dr Bartholomew Quigley',
      'Yuki Tanabe',
    ],
  },
  {
    account: 'quayside-labs',
    group: 'Lab support',
    title: 'Laboratory support',
    names: ['Carys Llewellyn', 'Farhan Aziz', 'Joanne Ramsbottom'],
  },
]

/** A user group made of others. */
export const allStaff = {
  account: 'harbour-group',
  name: 'All staff',
  of: ['Night guards', 'Warehouse', 'Night shift', 'Office', 'Operations'],
} as const

type Circumstances = {
  status?: 'suspended'
  /** Days from the start of the demonstration. */
  validFromDays?: number
  validUntilDays?: number
  recertifiedDays?: number
  email?: string
  role?: 'accessManager' | 'reportingUser'
}

/** Of whom there is more to say. */
export const circumstances: Record<string, Circumstances> = {
  'Riaan Venter': { status: 'suspended' },
  'Declan Murphy': { validFromDays: -200, validUntilDays: -20 },
  'Bongani Sithole': { validFromDays: 45 },
  "Siobhán O'Reilly": { validFromDays: -30, validUntilDays: 150 },
  'Priya Raman': { recertifiedDays: -127 },
  'Eleanor Ashworth': { recertifiedDays: -31 },
  'Thandeka Mthembu': { email: 'thandeka.mthembu@harbour-group.example', role: 'accessManager' },
  'Graham Whitfield': { email: 'graham.whitfield@harbour-group.example', role: 'reportingUser' },
}
