import { z } from 'zod'
import { defineCall, schemaNames, view } from '../call.ts'
import { namedCardholders } from './unit-difference.ts'

const named = z.array(z.object({ _id: z.uuid(), name: z.string() }))

export const leftOut = defineCall({
  id: 'unit-left-out',
  method: 'GET',
  path: '/api/units/{id}/leftOut',
  tag: 'units',
  summary: 'List what a controller has no room for',
  description:
    'A controller gets at most what it can hold. The doors with the highest numbers, and the credentials and schedules that were created last, are left out. Names the items that the user may see.',
  access: 'account',
  abilities: [view('Controllers')],
  params: { id: 'The _id of the unit.' },
  output: z
    .object({
      /** Whether the controller has applied the configuration that leaves these items out. Until then its doors decide by another one. */
      isApplied: z.boolean(),
      /** How many, including those that the user may not see; cardholders without a name here count, too. */
      credentials: z.int(),
      cardholders: namedCardholders,
      /** The doors that lack the credentials of some cardholders with access to them. */
      incomplete: z.array(z.object({ _id: z.uuid(), name: z.string(), cardholders: z.int() })),
      doors: named,
      schedules: named,
    })
    .register(schemaNames, { id: 'LeftOut' }),
  returns: 'The items that are left out; empty where everything fits.',
  errors: ['not_found'],
})
export type LeftOut = z.output<typeof leftOut.output>

export const userLeftOut = defineCall({
  id: 'user-left-out',
  method: 'GET',
  path: '/api/users/{id}/leftOut',
  tag: 'users',
  summary: 'List the controllers with no room for credentials of a user',
  description:
    'Controllers that leave out a credential with which the user could open some of their doors. PINs do not count.',
  access: 'account',
  abilities: [view('Access Control'), view('Sites'), view('Users'), view('Controllers')],
  params: { id: 'The _id of the user.' },
  output: z
    .object({
      /** `doors`: at how many doors of the controller a rule gives the user access. */
      units: z.array(z.object({ _id: z.uuid(), name: z.string(), doors: z.int() })),
    })
    .register(schemaNames, { id: 'UserLeftOut' }),
  returns: 'The controllers, by name; empty where everything fits.',
  errors: ['not_found'],
})
export type UserLeftOut = z.output<typeof userLeftOut.output>
