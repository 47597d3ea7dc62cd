import { randomUUID } from 'node:crypto'
import { nameOf } from '@portcullis/contract/call'
import { accessMatrix } from '@portcullis/contract/calls/access-matrix'
import { accessOfDoors, accessOfUsers } from '@portcullis/contract/calls/access-views'
import { batchRules } from '@portcullis/contract/calls/batch-rules'
import { reviewRules } from '@portcullis/contract/calls/review-rules'
import type { Outcome } from './expected-answer.ts'
import { atEach, badRequest, ok, type Probe, type Recipe } from './probe.ts'
import { may } from './role-table.ts'
import type { Target } from './places.ts'
import type { World } from './world.ts'

const otherAbsent = randomUUID()
const refused: Outcome = { status: 422, code: 'rows_refused' }

/** Saving and deleting many rules acts in the account entered. */
export function ruleRecipes(world: World): Record<string, Recipe> {
  const { path } = batchRules
  const onlyOwn = (what: string, bodyFor: (id: string) => object): Probe[] =>
    atEach((target) => ({
      placement: 'body',
      what,
      send: () => ({ path, body: bodyFor(world.idOf(target, 'rules')) }),
      expects: ({ account }) => (target === account ? ok : refused),
      knows: ({ account }) => new Set([account]),
      isNarrowedByFilter: true,
    }))
  const between = (target: Target) =>
    `${accessMatrix.path}?groups=${world.idOf(target, 'userGroups')}&places=${world.idOf(target, 'doors')}`
  const viewOf = (collection: 'users' | 'doors', pathOf: (ids: string) => string): Recipe => ({
    allows: (rights) =>
      (['Access Control', 'Users', 'Sites'] as const).every((subject) => may(rights, 'view', subject)),
    shows: 'reads',
    isRead: true,
    probes: [
      ...atEach((target) => ({
        placement: 'filter',
        what: `an id of ${collection}`,
        send: () => ({ path: pathOf(world.idOf(target, collection)) }),
        expects: () => ok,
      })),
      { placement: 'plain', what: 'no id', send: () => ({ path: pathOf('zebra') }), expects: () => badRequest },
    ],
  })
  return {
    [nameOf(accessMatrix)]: {
      allows: (rights) =>
        (['Access Control', 'Users', 'Sites'] as const).every((subject) => may(rights, 'view', subject)),
      shows: 'reads',
      isRead: true,
      probes: [
        ...atEach((target) => ({
          placement: 'filter',
          what: 'group and door',
          send: () => ({ path: between(target) }),
          expects: () => ok,
        })),
        {
          placement: 'plain',
          what: 'no id',
          send: () => ({ path: `${accessMatrix.path}?groups=zebra&places=` }),
          expects: () => badRequest,
        },
      ],
    },
    [nameOf(accessOfUsers)]: viewOf('users', (ids) => `${accessOfUsers.path}?users=${ids}`),
    [nameOf(accessOfDoors)]: viewOf('doors', (ids) => `${accessOfDoors.path}?doors=${ids}`),
    [nameOf(reviewRules)]: {
      allows: (rights) =>
        (['Access Control', 'Users', 'Sites'] as const).every((subject) => may(rights, 'view', subject)),
      shows: 'reads',
      isRead: true,
      probes: [{ placement: 'plain', what: 'account', send: () => ({ path: reviewRules.path }), expects: () => ok }],
    },
    [nameOf(batchRules)]: {
      allows: (rights) => may(rights, 'manage', 'Access Control'),
      shows: 'account',
      isRead: false,
      probes: [
        ...onlyOwn('save', (id) => ({ save: [{ _id: id }] })),
        ...onlyOwn('save beside one that is refused', (id) => ({ save: [{ _id: id }, { _id: otherAbsent }] })).map(
          (probe): Probe => ({ ...probe, expects: () => refused }),
        ),
        {
          placement: 'plain',
          what: 'no id',
          send: () => ({ path, body: { delete: ['zebra'] } }),
          expects: () => badRequest,
        },
      ],
    },
  }
}
