import type { Figure } from '../portraits/looks.ts'
import type { AccountRef } from './accounts.ts'
import type { NamePoolName } from './name-pools.ts'

export type Crew = {
  account: AccountRef
  /** The user group that they are members of. */
  group: string
  title: string
  /** The number of members; those not named here get names from the pools. */
  size: number
  names: readonly string[]
  /** The pools of the other names; a repeated pool is used more often. */
  pools: readonly NamePoolName[]
}

const capeTown: readonly NamePoolName[] = ['nguni', 'nguni', 'sotho', 'cape', 'cape', 'afrikaans', 'zambezi', 'english']
const durbanPools: readonly NamePoolName[] = ['nguni', 'nguni', 'nguni', 'durban', 'durban', 'english', 'zambezi']
const england: readonly NamePoolName[] = [
  'english',
  'english',
  'english',
  'celtic',
  'southAsian',
  'westAfrican',
  'eastern',
  'eastAsian',
  'levant',
  'seafaring',
]

/** Four hundred fictional users. */
export const crews: readonly Crew[] = [
  {
    account: 'harbour-group',
    group: 'Night guards',
    title: 'Security',
    size: 14,
    pools: capeTown,
    names: ['Johan Botha', 'Thabo Mokoena', 'Zanele Ndlovu', 'Pieter-Willem du Toit', 'Sipho Radebe', 'Ayesha Parker'],
  },
  {
    account: 'harbour-group',
    group: 'Warehouse',
    title: 'Warehouse',
    size: 66,
    pools: capeTown,
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
      "D'Angelo Fortuin",
      'عبد الرحمن بن محمد الفاسي',
    ],
  },
  {
    account: 'harbour-group',
    group: 'Night shift',
    title: 'Warehouse',
    size: 28,
    pools: [...capeTown, 'zambezi'],
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
    size: 20,
    pools: ['zambezi', 'zambezi', 'nguni', 'sotho', 'cape'],
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
    size: 62,
    pools: [...capeTown, 'levant', 'seafaring', 'english'],
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
      'José María de la Purísima Concepción Fernández-Villaverde y Gutiérrez de los Ríos',
      'Keʻalohi Kaʻanāʻanā',
      'Widodo',
    ],
  },
  {
    account: 'harbour-group',
    group: 'London office',
    title: 'Office',
    size: 26,
    pools: england,
    names: [
      'Graham Whitfield',
      'Oluwaseun Adeyemi',
      'Beatrice Cavendish-Thornbury',
      'Rajesh Chaudhary',
      'Katarzyna Wiśniewska',
      'Tom Ellery',
      'يوسف الخطيب',
      "Nuala O'Shaughnessy",
      "N'Golo Koné",
    ],
  },
  {
    account: 'harbour-group',
    group: 'Operations',
    title: 'Operations',
    size: 16,
    pools: capeTown,
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
    size: 30,
    pools: [...capeTown, 'celtic', 'eastern'],
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
    size: 46,
    pools: durbanPools,
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
      'Владимир Соколов',
    ],
  },
  {
    account: 'harbour-logistics',
    group: 'Dispatch',
    title: 'Dispatcher',
    size: 14,
    pools: durbanPools,
    names: ['Rukshana Moosa', 'Neville Chetty', 'Hlengiwe Ntuli', 'Craig Bouwer'],
  },
  {
    account: 'harbour-logistics',
    group: 'Customs',
    title: 'Customs clerk',
    size: 6,
    pools: durbanPools,
    names: [],
  },
  {
    account: 'harbour-couriers',
    group: 'Couriers',
    title: 'Courier',
    size: 28,
    pools: england,
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
    account: 'harbour-couriers',
    group: 'Sorters',
    title: 'Sorter',
    size: 6,
    pools: england,
    names: ['Seán Mac Giolla Phádraig'],
  },
  {
    account: 'quayside-labs',
    group: 'Scientists',
    title: 'Scientist',
    size: 26,
    pools: [...england, 'southAsian', 'eastAsian', 'westAfrican'],
    names: [
      'Priya Raman',
      'נועם לוי',
      'Eleanor Ashworth',
      'Chidi Okonkwo',
      'Maren Halvorsen',
      'Dr Bartholomew Quigley',
      'Yuki Tanabe',
      'مریم رضایی',
      '佐藤 美咲',
      'Þórdís Guðmundsdóttir',
    ],
  },
  {
    account: 'quayside-labs',
    group: 'Lab support',
    title: 'Laboratory support',
    size: 12,
    pools: england,
    names: ['Carys Llewellyn', 'Farhan Aziz', 'Joanne Ramsbottom', 'שרה כהן', '김민준'],
  },
]

/** The looks of users whose names are in no pool. */
export const rareNames: Record<string, { pool: NamePoolName; figure: Figure }> = {
  'عبد الرحمن بن محمد الفاسي': { pool: 'levant', figure: 'man' },
  'ليلى حداد': { pool: 'levant', figure: 'woman' },
  'يوسف الخطيب': { pool: 'levant', figure: 'man' },
  'مریم رضایی': { pool: 'levant', figure: 'woman' },
  'נועם לוי': { pool: 'levant', figure: 'man' },
  'שרה כהן': { pool: 'levant', figure: 'woman' },
  'Владимир Соколов': { pool: 'eastern', figure: 'man' },
  '佐藤 美咲': { pool: 'eastAsian', figure: 'woman' },
  김민준: { pool: 'eastAsian', figure: 'man' },
}

/** A user group made of other groups. */
export const allStaff = {
  account: 'harbour-group',
  name: 'All staff',
  of: ['Night guards', 'Warehouse', 'Night shift', 'Office', 'Operations'],
} as const

/** Groups with members from several other groups. */
export const crossGroups = [
  { account: 'harbour-group', name: 'Forklift drivers', of: ['Warehouse', 'Night shift'], share: 0.2 },
  { account: 'harbour-group', name: 'Fire wardens', of: ['Warehouse', 'Office', 'Operations'], share: 0.11 },
  { account: 'harbour-group', name: 'First aiders', of: ['Office', 'London office', 'Night guards'], share: 0.12 },
  { account: 'harbour-group', name: 'Board', of: ['Office', 'London office'], share: 0.09 },
  { account: 'harbour-logistics', name: 'Crane operators', of: ['Dock crew'], share: 0.25 },
  { account: 'quayside-labs', name: 'Clean room trained', of: ['Scientists', 'Lab support'], share: 0.45 },
] as const
