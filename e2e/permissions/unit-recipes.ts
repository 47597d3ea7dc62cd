import { nameOf, pathOf } from '@portcullis/contract/call'
import { forgive } from '@portcullis/contract/calls/door-groups'
import { doorInterlocks } from '@portcullis/contract/calls/door-interlocks'
import { setDoorMode } from '@portcullis/contract/calls/door-modes'
import { moveUnits } from '@portcullis/contract/calls/move-units'
import {
  enrolUnit,
  readDoorCommand,
  replaceUnit,
  requestHeartbeat,
  revokeUnit,
  unlockOnce,
} from '@portcullis/contract/calls/units'
import { leftOut } from '@portcullis/contract/calls/left-out'
import { unitDifference } from '@portcullis/contract/calls/unit-difference'
import { atEach, badRequest, isIn, notFound, ok, type Probe, type Recipe, type Sent } from './probe.ts'
import type { Outcome } from './expected-answer.ts'
import type { Target } from './places.ts'
import { may, mayMove } from './role-table.ts'
import { anotherOf, type World } from './world.ts'

/** The controllers of the matrix never connect, and its door groups have no anti-passback. */
const offline: Outcome = { status: 422, code: 'unit_offline' }
const unknown: Outcome = { status: 422, code: 'unknown_reference' }
const noArea: Outcome = { status: 422, code: 'no_antipassback' }
const doorless = anotherOf('units')

/** Controller enrolment, door commands and door modes: actions apply to the account entered, reads to the accounts read. */
export function unitRecipes(world: World): Record<string, Recipe> {
  const commands: Recipe['allows'] = (rights) =>
    may(rights, 'manage', 'RemoteAuth') || may(rights, 'manage', 'Controllers')
  return {
    [nameOf(enrolUnit)]: {
      allows: (rights) => may(rights, 'manage', 'Controllers'),
      shows: 'account',
      isRead: false,
      probes: acting('units', (id) => ({ path: pathOf(enrolUnit, { id }) })),
    },
    [nameOf(requestHeartbeat)]: {
      allows: (rights) => may(rights, 'manage', 'Controllers'),
      shows: 'account',
      isRead: false,
      probes: acting('units', (id) => ({ path: pathOf(requestHeartbeat, { id }) }), offline),
    },
    [nameOf(revokeUnit)]: {
      allows: (rights) => may(rights, 'manage', 'Controllers'),
      shows: 'account',
      isRead: false,
      probes: acting('units', (id) => ({ path: pathOf(revokeUnit, { id }) })),
    },
    [nameOf(replaceUnit)]: {
      allows: (rights) => may(rights, 'manage', 'Controllers'),
      shows: 'account',
      isRead: false,
      // With its own serial, which is refused: other probes need it to be taken.
      probes: acting(
        'units',
        (id, target) => ({
          path: pathOf(replaceUnit, { id }),
          body: { serial: target === 'absent' ? 'ABSENT' : world.itemOf(target, 'units')['serial'] },
        }),
        badRequest,
      ),
    },
    [nameOf(moveUnits)]: {
      allows: mayMove,
      shows: 'account',
      isRead: false,
      probes: atEach((target) => ({
        placement: 'body',
        what: 'unitIds',
        // With the controller without doors: other probes give the first one a door of another account, which ties it.
        send: ({ account }) => ({
          path: pathOf(moveUnits, {}),
          body: { unitIds: [world.idOf(target, doorless)], toAccount: world.idOf(account, 'accounts'), dryRun: true },
        }),
        expects: ({ account }) => (target === account ? ok : unknown),
        knows: ({ account }) => new Set([account]),
      })),
    },
    [nameOf(unlockOnce)]: {
      allows: commands,
      shows: 'account',
      isRead: false,
      probes: acting('doors', (id) => ({ path: pathOf(unlockOnce, { id }) })),
    },
    [nameOf(setDoorMode)]: {
      allows: (rights) => may(rights, 'manage', 'Access Control'),
      shows: 'account',
      isRead: false,
      probes: acting('doors', (id) => ({ path: pathOf(setDoorMode, { id }), body: { mode: 'lockdown' } })).map(
        (probe) => ({
          ...probe,
          isNarrowedByFilter: true,
        }),
      ),
    },
    [nameOf(forgive)]: {
      allows: (rights) => may(rights, 'manage', 'Access Control'),
      shows: 'account',
      isRead: false,
      probes: acting('doorGroups', (id) => ({ path: pathOf(forgive, { id }), body: { user: null } }), noArea).map(
        (probe) => ({ ...probe, isNarrowedByFilter: true }),
      ),
    },
    [nameOf(unitDifference)]: {
      allows: (rights) => may(rights, 'view', 'Controllers'),
      shows: 'reads',
      isRead: true,
      probes: reading('units', (id) => ({ path: pathOf(unitDifference, { id }) })),
    },
    [nameOf(leftOut)]: {
      allows: (rights) => may(rights, 'view', 'Controllers'),
      shows: 'reads',
      isRead: true,
      probes: reading('units', (id) => ({ path: pathOf(leftOut, { id }) })),
    },
    [nameOf(doorInterlocks)]: {
      allows: (rights) => may(rights, 'view', 'Sites'),
      shows: 'reads',
      isRead: true,
      probes: reading('doors', (id) => ({ path: pathOf(doorInterlocks, { id }) })),
    },
    [nameOf(readDoorCommand)]: {
      allows: commands,
      shows: 'reads',
      isRead: true,
      probes: reading('commands', (id) => ({ path: pathOf(readDoorCommand, { id }) })),
    },
  }

  /** `expected`: the outcome in the account entered. */
  function acting(collection: string, sent: (id: string, target: Target) => Sent, expected = ok): Probe[] {
    return [
      ...atEach((target) => ({
        placement: 'path',
        what: 'id',
        send: () => sent(world.idOf(target, collection), target),
        expects: ({ account }) => (target === account ? expected : notFound),
        knows: ({ account }) => new Set([account]),
      })),
      noId(sent('zebra', 'absent')),
    ]
  }

  function reading(kind: string, sent: (id: string) => Sent): Probe[] {
    return [
      ...atEach((target) => ({
        placement: 'path',
        what: 'id',
        send: () => sent(world.idOf(target, kind)),
        expects: ({ reads }) => (isIn(reads, target) ? ok : notFound),
      })),
      noId(sent('zebra')),
    ]
  }

  function noId(sent: Sent): Probe {
    return { placement: 'path', what: 'no id', send: () => sent, expects: () => notFound }
  }
}
