import type { CollectionName } from '@portcullis/contract/collections/registry'
import { v7 as uuidv7 } from 'uuid'
import type { Item, Visitor } from '../test-server.ts'

/** Collections that people write to; the others are logs. */
export type Written = Exclude<CollectionName, 'auditLogs' | 'events' | 'tasks'>
export const written: readonly Written[] = [
  'accounts',
  'contacts',
  'credentials',
  'doorGroups',
  'doors',
  'holidays',
  'interlockingGroups',
  'metaDataTemplates',
  'reports',
  'rules',
  'schedules',
  'siteGroups',
  'sites',
  'tenants',
  'units',
  'userGroups',
  'users',
]

type Fields = Record<string, unknown>

let count = 0

/** The least that an item of a collection must have; `site` is one that the writer may see. */
export function leastItem(collection: Written, { site }: { site: string }): Fields {
  count += 1
  const name = `${collection} ${count.toString().padStart(4, '0')}`
  switch (collection) {
    case 'accounts':
      return { name, ref: `account-${count}-${uuidv7().slice(-8)}` }
    case 'credentials':
      return { kind: 'card', number: `${count}` }
    case 'doors':
      return { name, site }
    case 'holidays':
      return { name, kind: 'public', dates: [{ from: '2026-12-25', until: '2026-12-26', recurring: true }] }
    case 'rules':
      return { name, effect: 'allow', who: [], where: [] }
    case 'sites':
      return { name, timeZone: 'Africa/Johannesburg' }
    case 'tenants':
      return { name, provider: 'oidc' }
    case 'units':
      return { name, serial: `S-${count}` }
    case 'contacts':
    case 'doorGroups':
    case 'interlockingGroups':
    case 'metaDataTemplates':
    case 'reports':
    case 'schedules':
    case 'siteGroups':
    case 'userGroups':
    case 'users':
      return { name }
  }
}

type Making = { ask: Visitor['ask']; collection: Written; fields?: Fields; site?: string }

/** Makes an item of a collection through the server and answers it; what it must refer to is made first. */
export async function makeItem({ ask, collection, fields = {}, site }: Making): Promise<Item> {
  const needsSite = collection === 'doors' && fields['site'] === undefined && site === undefined
  const own = needsSite ? (await makeItem({ ask, collection: 'sites' }))._id : (site ?? '')
  const answer = await ask('POST', `/api/${collection}`, {
    body: { ...leastItem(collection, { site: own }), ...fields },
  })
  if (answer.status !== 201) throw new Error(`${collection}: ${answer.status} ${answer.error.message}`)
  return answer.item
}

/** Every field of a collection that people may set, none at its initial value. */
export async function wholeItem({ ask, collection }: Making): Promise<Fields> {
  const made = async (other: Written) => (await makeItem({ ask, collection: other }))._id
  const site = await made('sites')
  const valid = { validFrom: '2026-01-01T00:00:00.000Z', validUntil: '2027-01-01T00:00:00.000Z' }
  const least = leastItem(collection, { site })
  switch (collection) {
    case 'accounts':
      return { ...least, defaultTimeZone: 'Europe/Oslo', recertifyEveryDays: 90, enforceMfa: true, brand: 'acme' }
    case 'contacts':
      return {
        ...least,
        email: 'guard@people.example',
        phone: '+27 21 555-0100',
        note: 'Nights only',
        notify: ['alarms', 'remoteAccess'],
      }
    case 'credentials':
      return { ...least, user: await made('users'), status: 'lost', ...valid }
    case 'doorGroups':
      return { ...least, members: [await made('doors')] }
    case 'doors':
      return {
        ...least,
        unit: await made('units'),
        unitDoor: 2,
        enabled: false,
        relockAfterSeconds: 9,
        heldOpenAfterSeconds: 60,
        directions: { entry: true, exit: true },
        requiresRemoteAuth: true,
      }
    case 'holidays':
      return { ...least, calendar: 'South Africa' }
    case 'interlockingGroups': {
      const unit = await made('units')
      const doors = [1, 2].map((unitDoor) => makeItem({ ask, collection: 'doors', fields: { site, unit, unitDoor } }))
      return { ...least, doors: (await Promise.all(doors)).map(({ _id }) => _id).toSorted() }
    }
    case 'metaDataTemplates':
      return {
        ...least,
        fields: [
          {
            key: 'badgeColour',
            label: 'Colour of the badge',
            kind: 'choice',
            choices: ['Red', 'Blue'],
            required: true,
          },
          { key: 'started', label: 'Started', kind: 'date', choices: [], required: false },
        ],
      }
    case 'reports':
      return { ...least, filter: { outcome: 'denied', or: [{ door: site }, { severity: { in: ['warning'] } }] } }
    case 'rules':
      return {
        ...least,
        who: [{ kind: 'User Group', id: await made('userGroups') }],
        where: [{ kind: 'Site', id: site }],
        schedule: await made('schedules'),
        direction: 'entry',
        adhoc: { from: '2026-01-01T00:00:00.000Z', until: '2026-01-02T00:00:00.000Z' },
        enabled: false,
        note: "The cleaner's evening",
      }
    case 'schedules':
      return {
        ...least,
        windows: [{ days: [1, 5], start: '22:00', end: '06:00' }],
        holidayHours: { public: 'asUsual', company: [{ start: '08:00', end: '12:00' }], special: 'closed' },
      }
    case 'siteGroups':
      return { ...least, members: [site] }
    case 'sites':
      return { ...least, address: '1 Long Street', location: { lat: -33.9, lng: 18.4 }, calendars: ['South Africa'] }
    case 'tenants':
      return { ...least, provider: 'saml', enabled: true }
    case 'units':
      return { ...least, site, model: 'P8', inService: false }
    case 'userGroups':
      return { ...least, members: [await made('users')] }
    case 'users':
      return {
        ...least,
        email: `${site}@people.example`,
        role: 'installer',
        status: 'suspended',
        title: 'Cleaner',
        groups: [await made('userGroups')],
        idleTime: 600,
        ...valid,
      }
  }
}
