import { hyperRules } from '@portcullis/contract/abilities'
import { expect, test } from 'vitest'
import { navigationFor } from '../navigation/navigation-entries.ts'
import { destinationsFor } from './destinations.ts'

test('the palette leads only to screens of the sidebar', () => {
  const pathsWith = (recertification: boolean) => {
    const sections = navigationFor(hyperRules, { recertification })
    return destinationsFor({ rules: hyperRules, user: { hyper: true }, sections }).map(({ path }) => path)
  }
  expect(pathsWith(true)).toContain('/recertify/list')
  expect(pathsWith(false)).not.toContain('/recertify/list')
})
