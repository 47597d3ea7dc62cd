import { isDeepStrictEqual } from 'node:util'
import type { Collection } from '@portcullis/contract/collection'
import { type CollectionName, collections } from '@portcullis/contract/collections/registry'
import { metaOf, unwrapped } from '@portcullis/contract/fields'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Item, TestUser } from '../test-server.ts'

/** Collections that users write to; the others are logs. */
export type Written = Exclude<CollectionName, 'auditLogs' | 'events' | 'lockdowns' | 'tasks'>
export const written = Object.keys(collections).filter(isWritten)

export function isWritten(name: string): name is Written {
  return Object.values<Collection>(collections).some((each) => each.name === name && !each.readOnly)
}

type Fields = Record<string, unknown>

let count = 0

/** The minimum fields of a new item; the user must be able to see `site`. */
export function minimalItem(collection: Written, { site }: { site: string }): Fields {
  count += 1
  const name = `${collection} ${count.toString().padStart(4, '0')}`
  switch (collection) {
    case 'accounts':
      return { name, ref: `account-${count}-${uuidv7().slice(-8)}` }
    case 'cardFormats':
      return { name, layout: 'FFFFCCCC' }
    case 'credentials':
      return { kind: 'card', number: `${count}` }
    case 'doors':
    case 'floorPlans':
      return { name, site }
    case 'holidays':
      return { name, kind: 'public', dates: [{ from: '2026-12-25', until: '2026-12-26', recurring: true }] }
    case 'units':
      return { name, serial: `S-${count}` }
    default:
      return { ...plainFields(collections[collection].fields.required), name }
  }
}

/** Sample values of required fields that need no special value; `completeItem` adds references. */
function plainFields(required: z.core.$ZodShape): Fields {
  return Object.fromEntries(
    Object.entries(required).map(([field, schema]) => [
      field,
      metaOf(schema)?.kind === 'links' ? [] : plainValue(schema),
    ]),
  )
}

type MakeItemOptions = { ask: TestUser['ask']; collection: Written; fields?: Fields; site?: string }

/** Creates an item over the API and returns it; first creates the site that a door or floor plan needs. */
export async function makeItem({ ask, collection, fields = {}, site }: MakeItemOptions): Promise<Item> {
  const isAtSite = collection === 'doors' || collection === 'floorPlans'
  const needsSite = isAtSite && fields['site'] === undefined && site === undefined
  const own = needsSite ? (await makeItem({ ask, collection: 'sites' }))._id : (site ?? '')
  const answer = await ask('POST', `/api/${collection}`, {
    body: { ...minimalItem(collection, { site: own }), ...fields },
  })
  if (answer.status !== 201) throw new Error(`${collection}: ${answer.status} ${answer.error.message}`)
  return answer.item
}

/** All fields that users may set, each with a value other than its default. */
export async function completeItem({ ask, collection }: MakeItemOptions): Promise<Fields> {
  const made = async (other: Written) => (await makeItem({ ask, collection: other }))._id
  const site = await made('sites')
  const item: Fields = { ...minimalItem(collection, { site }), ...(await specialFields({ ask, collection, site })) }
  const { optional, fixed } = collections[collection].fields
  for (const [field, schema] of Object.entries<z.core.$ZodType>({ ...optional, ...fixed })) {
    if (!(field in item)) item[field] = (await linkedValue(schema, made)) ?? plainValue(schema)
  }
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined))
}

type SpecialFieldsOptions = { ask: TestUser['ask']; collection: Written; site: string }

/** Values that cannot be derived from a schema, or that depend on each other; `undefined` omits a field. */
async function specialFields({ ask, collection, site }: SpecialFieldsOptions): Promise<Fields> {
  const valid = { validFrom: '2026-01-01T00:00:00.000Z', validUntil: '2027-01-01T00:00:00.000Z' }
  const made = async (other: Written, fields: Fields = {}) => (await makeItem({ ask, collection: other, fields }))._id
  switch (collection) {
    case 'accounts':
      return { parent: undefined }
    case 'credentials':
      // Only a PIN raises a silent alarm, and what a card has printed on it depends on its format.
      return { ...valid, duress: undefined, format: undefined, facility: undefined, printed: undefined }
    case 'doorGroups':
      return { antiPassback: { kind: 'timed', minutes: 5 } }
    case 'doors':
      return { directions: { entry: true, exit: true } }
    case 'floorPlans':
      return { placements: [{ kind: 'Door', id: await made('doors', { site }), x: 0.25, y: 1 }] }
    case 'interlockingGroups': {
      const unit = await made('units')
      const doors = [1, 2].map((unitDoor) => made('doors', { site, unit, unitDoor }))
      return { doors: (await Promise.all(doors)).toSorted() }
    }
    case 'metaDataTemplates':
      return {
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
      return { filter: { outcome: 'denied', or: [{ door: site }, { severity: { in: ['warning'] } }] } }
    case 'rules':
      return {
        who: [{ kind: 'User Group', id: await made('userGroups') }],
        where: [{ kind: 'Site', id: site }],
        adhoc: { from: '2026-01-01T00:00:00.000Z', until: '2026-01-02T00:00:00.000Z' },
      }
    case 'schedules':
      return {
        windows: [{ days: [1, 5], start: '22:00', end: '06:00' }],
        holidayHours: { public: 'asUsual', company: [{ start: '08:00', end: '12:00' }], special: 'closed' },
      }
    case 'sites':
      return { location: { lat: -33.9, lng: 18.4 } }
    case 'users':
      return { email: `${site}@people.example`, role: 'installer', ...valid }
    default:
      return {}
  }
}

/** The value of a reference or link field, with a newly created target. */
async function linkedValue(schema: z.core.$ZodType, made: (other: Written) => Promise<string>): Promise<unknown> {
  const meta = metaOf(schema)
  if (meta?.kind === 'reference' && isWritten(meta.of)) return made(meta.of)
  const target = meta?.kind === 'links' ? meta.of[0] : undefined
  if (!target || !isWritten(target.collection)) return undefined
  const id = await made(target.collection)
  return [meta?.kind === 'links' && meta.shape === 'subjects' ? { kind: target.kind, id } : id]
}

/** A field gets the first of these values that its schema accepts unchanged and that is not its default. */
const candidates = [
  true,
  false,
  '2026-01-01T00:00:00.000Z',
  'Europe/Oslo',
  'guard@people.example',
  'A text',
  'text-7',
  '+27 21 555-0100',
  7,
  60,
  0.5,
  ['A text'],
  {},
]

/** A valid value other than the field's default. */
function plainValue(schema: z.core.$ZodType): unknown {
  const initial = z.safeParse(schema, undefined)
  const found = candidatesOf(schema).find((candidate) => {
    const { success, data } = z.safeParse(schema, candidate)
    return success && isDeepStrictEqual(data, candidate) && !isDeepStrictEqual(data, initial.data)
  })
  if (found === undefined) throw new Error('No sample fits: give this field a value in specialFields of test-items.ts.')
  return found
}

function candidatesOf(schema: z.core.$ZodType): readonly unknown[] {
  const inner = unwrapped(schema)
  if (inner instanceof z.ZodEnum) return inner.options
  if (inner instanceof z.ZodArray && inner.element instanceof z.ZodEnum) return [inner.element.options]
  return candidates
}
