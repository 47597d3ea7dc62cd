import { accounts } from '@portcullis/contract/collections/accounts'
import { collections } from '@portcullis/contract/collections/registry'
import { credentials } from '@portcullis/contract/collections/credentials'
import { rules } from '@portcullis/contract/collections/rules'
import type { Collection } from '@portcullis/contract/collection'
import { expect, test } from 'vitest'
import { formValues, settableFields } from './form-values.ts'

test('a new item takes the values of the form, then the initial values of the schema, then blanks', () => {
  expect(formValues(rules, undefined)).toEqual({
    name: '',
    effect: 'allow',
    who: [],
    where: [],
    schedule: null,
    direction: 'both',
    adhoc: null,
    enabled: true,
    note: null,
  })
  expect(formValues(credentials, undefined, { user: 'someone' })).toMatchObject({
    kind: 'card',
    number: '',
    user: 'someone',
  })
  expect(formValues(accounts, undefined, { defaultTimeZone: 'Europe/Oslo' })).toMatchObject({
    ref: '',
    parent: null,
    defaultTimeZone: 'Europe/Oslo',
  })
})

test.each(Object.values<Collection>(collections).filter(({ readOnly }) => !readOnly))(
  'a form of $name has every field that users may set',
  (collection) => {
    const values = formValues(collection, undefined)
    for (const name of Object.keys(settableFields(collection))) expect(Reflect.get(values, name), name).toBeDefined()
  },
)
