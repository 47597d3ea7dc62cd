import { expect, test } from 'vitest'
import { placeElsewhere } from './place-elsewhere.ts'

const site = '01a20ca4-ea6e-76a3-9ac7-fd90337275a4'

test.each([
  ['/users/list', '?search=ann&status=active&sort=-name', '/users/list?search=ann&status=active&sort=-name'],
  ['/doors', `?site=${site}&mode=lockdown`, '/doors?mode=lockdown'],
  ['/doors', `?site=a,${site}`, '/doors'],
  [`/users/list/${site}`, '?tab=access', '/users/list?tab=access'],
  ['/account', '?open=north', '/account'],
  ['/sites', '', '/sites'],
])(
  '§4 account switch: %s%s is %s in another account, without items of the account being left',
  (place, query, expected) => {
    expect(placeElsewhere(place, query)).toBe(expected)
  },
)
