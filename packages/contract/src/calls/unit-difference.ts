import { z } from 'zod'
import { credentialKinds } from '@portcullis/domain/policy'
import { defineCall, schemaNames, view } from '../call.ts'

/**
 * The parts of a configuration that are compared. A credential counts under its kind, or as `credential` if it has been
 * deleted; `calendars` are the time zones and holidays of sites, and `period` the days that the configuration covers.
 */
export const differenceKinds = [
  ...credentialKinds,
  'credential',
  'cardholders',
  'doors',
  'rules',
  'schedules',
  'calendars',
  'areas',
  'enabled',
  'period',
] as const

export type DifferenceKind = (typeof differenceKinds)[number]

export const differenceChanges = ['added', 'changed', 'removed'] as const

/**
 * `complete`: compared, and without counts if the versions are equal. `not_comparable`: the applied version is no longer
 * stored, or one of the two was stored by an earlier release in a form that is not compared. `not_compiled`: there is no
 * desired version yet. `too_different`: what differs is too large to be compared.
 */
export const comparisons = ['complete', 'not_comparable', 'not_compiled', 'too_different'] as const

/** The most cardholders that each list names. */
export const maxNamedCardholders = 50

export const namedCardholders = z.object({
  /** Including those that are not named: beyond the first 50, deleted, or not visible to the user. */
  total: z.int(),
  items: z.array(z.object({ _id: z.uuid(), name: z.string(), account: z.uuid() })),
})

export const unitDifference = defineCall({
  id: 'unit-difference',
  method: 'GET',
  path: '/api/units/{id}/difference',
  tag: 'units',
  summary: 'Compare the applied configuration of a controller with the desired one',
  description:
    'Counts what the desired version adds, changes and removes. Names the cardholders with access or credentials that the controller does not have yet, and those with access or credentials that it still has, both by name.',
  access: 'account',
  abilities: [view('Controllers')],
  params: { id: 'The _id of the unit.' },
  output: z
    .object({
      comparison: z.enum(comparisons),
      desiredVersion: z.int().nullable(),
      appliedVersion: z.int().nullable(),
      counts: z.array(
        z.object({ kind: z.enum(differenceKinds), change: z.enum(differenceChanges), count: z.int().min(1) }),
      ),
      missing: namedCardholders,
      outdated: namedCardholders,
    })
    .register(schemaNames, { id: 'UnitDifference' }),
  returns: 'The difference.',
  errors: ['not_found', 'too_many'],
})
export type UnitDifference = z.output<typeof unitDifference.output>
