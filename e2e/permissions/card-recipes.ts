import { nameOf, pathOf } from '@portcullis/contract/call'
import { createCards, replaceCredential } from '@portcullis/contract/calls/cards'
import { atEach, badRequest, isIn, notFound, type Recipe } from './probe.ts'
import { may } from './role-table.ts'
import type { World } from './world.ts'

/**
 * Cards are created in the account entered, in one of its own formats, and credentials of it are replaced. Nothing is
 * stored, because other probes need the examples as they are: the layout of the example has no such number, and a
 * credential cannot replace itself.
 */
export function cardRecipes(world: World): Record<string, Recipe> {
  const recipe = {
    allows: (rights) => may(rights, 'manage', 'Users'),
    shows: 'account',
    isRead: false,
  } satisfies Partial<Recipe>
  return {
    [nameOf(createCards)]: {
      ...recipe,
      probes: atEach((target) => ({
        placement: 'body',
        what: 'format',
        send: () => ({
          path: pathOf(createCards, {}),
          body: { format: world.idOf(target, 'cardFormats'), facility: 1, from: 1_000_000, to: 1_000_000 },
        }),
        expects: () => badRequest,
        knows: ({ account }) => new Set([account]),
      })),
    },
    [nameOf(replaceCredential)]: {
      ...recipe,
      probes: atEach((target) => ({
        placement: 'path',
        what: 'id',
        send: () => ({
          path: pathOf(replaceCredential, { id: world.idOf(target, 'credentials') }),
          body: { status: 'lost', by: { _id: world.idOf(target, 'credentials') } },
        }),
        expects: ({ account }) =>
          isIn(new Set([account]), target) ? { status: 422, code: 'credential_not_free' } : notFound,
        knows: ({ account }) => new Set([account]),
      })),
    },
  }
}
