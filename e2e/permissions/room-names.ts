import type { Collection } from '@portcullis/contract/collection'
import type { ErrorCode } from '@portcullis/contract/errors'
import { enter } from './expected-answer.ts'
import { refOf } from './marks.ts'
import { type Persona, personaIn } from './personas.ts'
import { idTargets, type Place, type Target } from './places.ts'
import { may, subjectOf } from './role-table.ts'
import type { World } from './world.ts'

export type RoomCode = 'ok' | ErrorCode

/** A room that a client requests, and the expected answer. */
export type RequestedRoom = {
  /** How the room is named; rooms that differ only in their account have the same form. */
  form: string
  name: unknown
  /** The account that the name contains, or resembles. */
  account: Target
  /** The account whose item it names; undefined for the room of all items and for malformed names. */
  item?: Target
  collection: Collection
  expects: (persona: Persona) => RoomCode
}

type Naming = { world: World; collection: Collection; account: Target }

/** Well-formed rooms: of all items of an account, and of one item of any account. */
export function wellNamedRooms({ world, collection, account }: Naming): RequestedRoom[] {
  const expects = (persona: Persona) => rightTo(persona, { collection, account })
  const room = { account, collection, expects }
  const start = `${collection.entity}:${refOf(account)}:`
  return [
    { ...room, form: 'all items', name: `${start}*` },
    ...idTargets.map((item) => ({
      ...room,
      form: 'an item',
      item,
      name: `${start}${world.idOf(item, collection.name)}`,
    })),
  ]
}

/** Malformed rooms: with something other than a ref, or with a name that only resembles a room. */
export function misnamedRooms({ world, collection, account }: Naming): RequestedRoom[] {
  const { entity } = collection
  const ref = refOf(account)
  const id = world.idOf(account, 'accounts')
  const refused = (form: string, name: unknown): RequestedRoom => ({
    form,
    name,
    account,
    collection,
    expects: () => 'bad_request',
  })
  return [
    {
      ...refused('the _id of the account', `${entity}:${id}:*`),
      expects: (persona) => (placeEntered(persona, account) ? 'bad_request' : 'account_refused'),
    },
    {
      ...refused('the first account', `${entity}:null:*`),
      expects: ({ rights }) => (rights === undefined ? 'account_refused' : 'bad_request'),
    },
    refused('upper case', `${entity}:${ref.toUpperCase()}:*`),
    refused('an entity in upper case', `${entity.toUpperCase()}:${ref}:*`),
    refused('the collection', `${collection.name}:${ref}:*`),
    refused('no entity', `:${ref}:*`),
    refused('every entity', `*:${ref}:*`),
    refused('every account', `${entity}:*:*`),
    refused('some accounts', `${entity}:zebra-*:*`),
    refused('no account', `${entity}::*`),
    refused('no item', `${entity}:${ref}`),
    refused('an empty item', `${entity}:${ref}:`),
    refused('two stars', `${entity}:${ref}:**`),
    refused('one more part', `${entity}:${ref}:*:*`),
    refused('two accounts', `${entity}:zebra-own,${ref}:*`),
    refused('two rooms', `${entity}:zebra-own:*,${entity}:${ref}:*`),
    refused('a space', ` ${entity}:${ref}:*`),
    refused('a line', `${entity}:${ref}:*\n`),
    refused('another line', `${entity}:zebra-own:*\n${entity}:${ref}:*`),
    refused('a zero', `${entity}:${ref}:*\u0000`),
    refused('another hyphen', `${entity}:${ref.replaceAll(/-|i/g, '\u2010')}:*`),
    refused('full width', `${entity}\uff1a${ref}\uff1a*`),
    refused('turned around', `${entity}:\u202e${ref}:*`),
    refused('as in an address', `${entity}:${ref}:%2A`),
    refused('SQL', `${entity}:${ref}' or true --:*`),
    refused('an item that is no id', `${entity}:${ref}:${'-'.repeat(36)}`),
    refused('an item in upper case', `${entity}:${ref}:${id.toUpperCase()}`),
    refused('a prototype', `__proto__:${ref}:*`),
    refused('very long', `${entity}:${ref.padEnd(300, 'a')}:*`),
    refused('a list', [`${entity}:${ref}:*`]),
    refused('an object', { entity, accountRef: ref, item: '*' }),
    refused('a filter', { $ne: `${entity}:${ref}:*` }),
    refused('a number', 1),
    refused('yes', true),
    refused('nothing', null),
  ]
}

/** The expected answer: the same as for the list of this collection in this account. */
function rightTo(persona: Persona, { collection, account }: Pick<Naming, 'collection' | 'account'>): RoomCode {
  const subject = subjectOf(collection)
  const place = placeEntered(persona, account)
  if (!place) return 'account_refused'
  const { rights } = personaIn(place, persona)
  return rights !== undefined && may(rights, 'view', subject) ? 'ok' : 'forbidden'
}

const listing = { name: 'join', method: 'GET', path: '', requires: 'account', isGuarded: false } as const

/** The account that a client enters under this name. */
export function placeEntered(persona: Persona, account: Target): Place | undefined {
  const meaning = { account, all: 'no', origin: 'ours', session: 'theirs' } as const
  const entry = enter({ route: listing, persona, meaning })
  return entry.is === 'in' ? entry.context.account : undefined
}
