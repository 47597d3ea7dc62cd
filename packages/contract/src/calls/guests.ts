import { reasonCodes } from '@portcullis/domain/decision/reasons'
import { z } from 'zod'
import { defineCall, manage, schemaNames } from '../call.ts'
import { changePreview, previewQuery } from '../change-preview.ts'
import { rules } from '../collections/rules.ts'
import { id } from '../fields.ts'
import { name } from '../names.ts'
import { commandStatuses } from './units.ts'

/** The maximum number of doors for one guest, who sees all of them on one page. */
export const maxGuestDoors = 20

const ways = z.enum(['code', 'link'])
const email = z.email().max(254).toLowerCase().nullable().default(null)

/** What the guest uses at the doors, shown only here. */
export const guestPass = z
  .object({
    /** The temporary access, a rule. */
    rule: z.uuid(),
    /** The guest, a user. */
    user: z.uuid(),
    code: z.string().nullable(),
    link: z.string().nullable(),
    /** The entries in the audit log, in the order of the changes. */
    entries: z.array(z.uuid()),
  })
  .register(schemaNames, { id: 'GuestPass' })
export type GuestPass = z.output<typeof guestPass>

export const inviteGuest = defineCall({
  id: 'invite-guest',
  method: 'POST',
  path: '/api/rules/guests',
  tag: 'rules',
  summary: 'Give a guest temporary access, with a code or a link',
  description:
    'Creates a user without a sign-in, their credentials, and a rule with these doors and hours, all or none of them. The code is a PIN of 6 digits, for doors that accept a PIN alone. The link opens a page on which the guest opens the doors. Both work only within the hours of the rule. With an email, both are sent there too. With `preview` nothing is stored.',
  access: 'account',
  abilities: [manage('Access Control'), manage('Users')],
  query: previewQuery,
  input: z.strictObject({
    name: name(),
    email,
    doors: z.array(id()).min(1).max(maxGuestDoors),
    adhoc: rules.fields.optional.adhoc.unwrap().unwrap(),
    by: z.array(ways).min(1),
    note: rules.fields.optional.note,
  }),
  output: z.union([guestPass, changePreview]),
  returns: 'The code and the link, or with `preview` the effects of the access.',
  errors: ['unknown_reference', 'no_door_takes_pins', 'too_many'],
})

export const renewGuest = defineCall({
  id: 'renew-guest',
  method: 'POST',
  path: '/api/rules/{id}/guest',
  tag: 'rules',
  summary: 'Give a guest a new code or a new link',
  description: 'The previous one no longer works. With an email, the new one is sent there too.',
  access: 'account',
  abilities: [manage('Access Control'), manage('Users')],
  params: { id: 'The _id of the rule.' },
  input: z.strictObject({ by: ways, email }),
  output: guestPass,
  returns: 'The new code or the new link.',
  errors: ['not_found', 'no_door_takes_pins', 'too_many'],
})

/** `withdrawn`: before its end. */
export const guestStates = ['upcoming', 'active', 'ended', 'withdrawn'] as const

const guestDoor = z.object({
  _id: z.uuid(),
  name: z.string(),
  site: z.string(),
  timeZone: z.string(),
  /** The latest command of the guest to this door, of the last 20 seconds. */
  command: z
    .object({
      _id: z.uuid(),
      status: z.enum(commandStatuses),
      /** One of `deliveryFaults`, or why the controller refused: a reason code or its own words. */
      detail: z.string().nullable(),
    })
    .nullable(),
})
export type GuestDoor = z.output<typeof guestDoor>

const guestAccess = z
  .object({
    state: z.enum(guestStates),
    /** Null once the access has ended or was withdrawn, and for unknown links. */
    access: z
      .object({
        guest: z.string(),
        invitedBy: z.string(),
        account: z.string(),
        from: z.iso.datetime(),
        until: z.iso.datetime(),
        doors: z.array(guestDoor),
      })
      .nullable(),
  })
  .register(schemaNames, { id: 'GuestAccess' })
export type GuestAccess = z.output<typeof guestAccess>

const token = z.string().max(200)

export const readGuestAccess = defineCall({
  id: 'guest-access',
  method: 'POST',
  path: '/api/guest/access',
  tag: 'session',
  summary: "Read a guest's doors and hours, with their link",
  description:
    'The secret of the link is in the body, so that it is in no URL and no log. A link that never was is answered like one that has ended.',
  access: 'none',
  input: z.strictObject({ token }),
  output: guestAccess,
  returns: 'The access, and whether it is active.',
  errors: ['too_many'],
})

/** `needs_reader`: the controller checks more at the reader than the server knows, such as anti-passback. */
export const guestRefusals = [...reasonCodes, 'needs_reader'] as const

export const openAsGuest = defineCall({
  id: 'open-as-guest',
  method: 'POST',
  path: '/api/guest/open',
  tag: 'session',
  summary: 'Open a door as a guest',
  description:
    'Decides as the reader at the door does, then unlocks the door once. While a command to this door is under way, or was given less than 2 seconds ago, another one changes nothing.',
  access: 'none',
  input: z.strictObject({ token, door: id() }),
  output: z
    .object({
      /** Null if the door was requested to open. */
      refused: z.enum(guestRefusals).nullable(),
      access: guestAccess,
    })
    .register(schemaNames, { id: 'GuestOpening' }),
  returns: 'Why not, or the access with the command.',
  errors: ['not_found', 'too_many'],
})
