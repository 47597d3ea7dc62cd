import sql from 'sql-template-tag'
import { prepared } from '../database/prepared-statements.ts'

type ReducedConfigInput = { unit: string; version: number; keys: readonly string[] }

/** Reading a larger configuration would delay those of other units. */
const maxBytes = 50_000_000
/** A longer text would block the event loop while it is parsed. */
const maxCharacters = 1_000_000

/**
 * The JSON text of a stored configuration, with only these credentials and what their decisions depend on. The database
 * reads the whole, which can have many megabytes.
 */
export function reducedConfig({ unit, version, keys }: ReducedConfigInput) {
  return prepared(sql`
    with stored as materialized (
      select unit_config_text as whole from unit_config_whole
       where unit_config_unit = ${unit} and unit_config_version = ${version} and unit_config_bytes <= ${maxBytes}),
    config as materialized (select whole::jsonb as body from stored),
    part as materialized (
      select body - '{credentials,holders,access,rules,schedules}'::text[] as head, body -> 'credentials' as credentials,
             body -> 'holders' as holders, body -> 'access' as access, body -> 'rules' as rules, body -> 'schedules' as schedules
        from config),
    presented as materialized (
      select key, credentials -> key as value from part, unnest(${keys}::text[]) as key where credentials ? key),
    holder as materialized (
      select key, holders -> key as value
        from part, (select distinct value ->> 'holder' as key from presented) as named where holders ? key),
    subject as materialized (
      select key, access -> key as value
        from part, (select distinct jsonb_array_elements_text(value -> 'access') as key from holder) as named
       where access ? key),
    rule as materialized (
      select key, rules -> key as value
        from part, (select distinct jsonb_array_elements_text((door.value -> 'allow') || (door.value -> 'deny')) as key
                      from subject, jsonb_each(subject.value -> 'doors') as door) as named where rules ? key),
    schedule as materialized (
      select key, schedules -> key as value
        from part, (select value ->> 'schedule' as key from rule union
                    select value ->> 'unlockSchedule' from part, jsonb_each(head -> 'doors')) as named where schedules ? key),
    reduced as (
      select (head || jsonb_build_object(
               'credentials', coalesce((select jsonb_object_agg(key, value) from presented), '{}'),
               'holders', coalesce((select jsonb_object_agg(key, value) from holder), '{}'),
               'access', coalesce((select jsonb_object_agg(key, value) from subject), '{}'),
               'rules', coalesce((select jsonb_object_agg(key, value) from rule), '{}'),
               'schedules', coalesce((select jsonb_object_agg(key, value) from schedule), '{}')))::text as body
        from part)
    select body from reduced where length(body) <= ${maxCharacters}`)
}
