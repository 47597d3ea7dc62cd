import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import { type FieldMeta, metaOf } from '@portcullis/contract/fields'
import type { z } from 'zod'
import { text } from '../text/text.ts'
import { NameOf } from './name-of.tsx'
import { NamesOf } from './names-of.tsx'
import { Time } from '../time/time.tsx'
import { listOf } from '../text/catalogue.ts'

type Props = { of: Collection; field: string; value: unknown }

/** The value of any field as users read it: names instead of ids, times in the viewer's time zone. */
export function FieldValue({ of, field, value }: Props) {
  if (value === null || value === undefined || value === '') return <span className="soft">–</span>
  const meta = metaOfField(of, field)
  if (typeof value === 'boolean') return <>{text(value ? 'value.yes' : 'value.no')}</>
  if (typeof value === 'number') return <>{`${value}${unitOf(field)}`}</>
  if (typeof value === 'string') return <OneText meta={meta} value={value} />
  if (Array.isArray(value)) return <Several meta={meta} values={value} />
  return <code>{JSON.stringify(value)}</code>
}

function OneText({ meta, value }: { meta: FieldMeta | undefined; value: string }) {
  if (meta?.kind === 'instant') return <Time at={value} />
  const target = meta?.kind === 'reference' ? collectionOf(meta.of) : undefined
  return target ? <NameOf of={target} id={value} /> : <bdi>{value}</bdi>
}

/** The unit of measure is part of a field's name. */
function unitOf(field: string) {
  if (field.endsWith('Seconds')) return ' s'
  return field.endsWith('Days') ? ' d' : ''
}

function Several({ meta, values }: { meta: FieldMeta | undefined; values: readonly unknown[] }) {
  if (values.length === 0) return <span className="soft">{text('form.none')}</span>
  if (meta?.kind === 'links') {
    const named = meta.of.flatMap(({ kind, collection }) => {
      const target = collectionOf(collection)
      const ids = values.flatMap((value) => idAmong(value, meta.shape === 'ids' ? undefined : kind))
      return target && ids.length > 0 ? [{ kind, target, ids }] : []
    })
    return (
      <>
        {named.map(({ kind, target, ids }) => (
          <div key={kind}>
            <NamesOf of={target} ids={ids} />
          </div>
        ))}
      </>
    )
  }
  const words = values.filter((value) => typeof value === 'string')
  if (words.length === values.length) return <bdi>{listOf(words)}</bdi>
  return <>{text('value.entries', { count: values.length })}</>
}

/** A member is an id; a subject of a rule is `{kind, id}`, and only subjects of that kind count. */
function idAmong(value: unknown, kind: string | undefined): string[] {
  if (typeof value === 'string') return kind === undefined ? [value] : []
  if (typeof value !== 'object' || value === null || Reflect.get(value, 'kind') !== kind) return []
  const id: unknown = Reflect.get(value, 'id')
  return typeof id === 'string' ? [id] : []
}

function metaOfField(of: Collection, field: string): FieldMeta | undefined {
  const shape: Readonly<Record<string, z.core.$ZodType>> = of.entitySchema.shape
  const schema = shape[field]
  return schema && metaOf(schema)
}

function collectionOf(name: string): Collection | undefined {
  return Object.values<Collection>(collections).find((each) => each.name === name)
}
