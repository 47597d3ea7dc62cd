import { nameOf, pathOf } from '@portcullis/contract/call'
import { floorPlanImage, removeFloorPlanImage, setFloorPlanImage } from '@portcullis/contract/calls/floor-plans'
import type { Outcome } from './expected-answer.ts'
import { atEach, badRequest, done, isIn, notFound, ok, type Probe, type Recipe } from './probe.ts'
import { may } from './role-table.ts'
import type { World } from './world.ts'

/** The images of floor plans: read in all accounts that the headers read, changed only in the account entered. */
export function floorPlanRecipes(world: World): Record<string, Recipe> {
  const managing = {
    allows: (rights) => may(rights, 'manage', 'Sites'),
    shows: 'account',
    isRead: false,
  } as const satisfies Partial<Recipe>
  return {
    [nameOf(floorPlanImage)]: {
      allows: (rights) => may(rights, 'view', 'Sites'),
      shows: 'reads',
      isRead: true,
      probes: atEach((target) => ({
        placement: 'path',
        what: 'id',
        send: () => ({ path: pathOf(floorPlanImage, { id: world.idOf(target, 'floorPlans') }) }),
        expects: ({ reads }) => (isIn(reads, target) ? ok : notFound),
      })),
    },
    [nameOf(setFloorPlanImage)]: {
      ...managing,
      probes: picturing(setFloorPlanImage, { body: 'zebra', right: badRequest }),
    },
    [nameOf(removeFloorPlanImage)]: { ...managing, probes: picturing(removeFloorPlanImage, { right: done }) },
  }

  type Picturing = typeof setFloorPlanImage | typeof removeFloorPlanImage

  function picturing(call: Picturing, { right, ...sent }: { right: Outcome; body?: unknown }): Probe[] {
    return atEach((target) => ({
      placement: 'path',
      what: 'id',
      send: () => ({ path: pathOf(call, { id: world.idOf(target, 'floorPlans') }), ...sent }),
      expects: ({ account }) => (target === account ? right : notFound),
      knows: ({ account }) => new Set([account]),
      isNarrowedByFilter: true,
    }))
  }
}
