import { ruleDirections, ruleEffects } from '@portcullis/domain/policy'
import { z } from 'zod'
import { defineCollection } from '../collection.ts'
import { instant, reference, restorable, subjects, text } from '../fields.ts'
import { name } from '../names.ts'
import { fieldCode } from '../errors/field-codes.ts'

/** Allow or deny users access to doors at given times. Deny beats allow; the times of several allow rules add up. */
export const rules = defineCollection({
  name: 'rules',
  entity: 'rule',
  subject: 'Access Control',
  fields: {
    required: {
      name: name(),
      effect: z.enum(ruleEffects),
      who: subjects({ User: 'users', 'User Group': 'userGroups' }),
      where: subjects({ Door: 'doors', Site: 'sites', 'Door Group': 'doorGroups', 'Site Group': 'siteGroups' }),
    },
    optional: {
      schedule: reference('schedules').nullable().default(null),
      direction: z.enum(ruleDirections).default('both'),
      adhoc: z
        .strictObject({ from: instant(), until: instant() })
        .refine(({ from, until }) => Date.parse(from) < Date.parse(until), fieldCode('ends_before_start'))
        .nullable()
        .default(null),
      enabled: z.boolean().default(true),
      note: text(1_000).nullable().default(null),
    },
    server: {
      /** The user that the rule is for, if it is a guest. */
      guest: restorable(z.uuid()).nullable().default(null),
    },
  },
  searchable: ['name', 'note'],
  queryable: ['name', 'effect', 'schedule', 'direction', 'enabled', 'adhoc.from', 'adhoc.until'],
})
