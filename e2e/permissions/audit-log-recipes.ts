import { nameOf, pathOf } from '@portcullis/contract/call'
import { asOf, undoChange } from '@portcullis/contract/calls/audit-logs'
import type { Context, Outcome } from './expected-answer.ts'
import { atEach, forbidden, isIn, notFound, ok, type Probe, type Recipe } from './probe.ts'
import { may, subjectOf } from './role-table.ts'
import { collectionNamed, type World } from './world.ts'

/** Calls of the audit log beyond reading it: return items as of a time, and undo a change. */
export function auditLogRecipes(world: World): Record<string, Recipe> {
  return {
    [nameOf(asOf)]: {
      allows: (rights) => may(rights, 'view', 'Audit Logs'),
      shows: 'reads',
      isRead: true,
      probes: ['sites', 'credentials', 'contacts', 'rules'].flatMap(asOfProbes),
    },
    [nameOf(undoChange)]: { allows: () => true, shows: 'account', isRead: false, probes: undoProbes() },
  }

  function asOfProbes(collection: string): Probe[] {
    return atEach((target) => ({
      placement: 'path',
      what: collection,
      send: () => ({
        path: `${pathOf(asOf, { collection, id: world.idOf(target, collection) })}?at=${new Date().toISOString()}`,
      }),
      expects: (context) => {
        if (!mayDo(context, 'view', collection)) return forbidden
        return isIn(context.reads, target) ? ok : notFound
      },
    }))
  }

  /** Undoes the creation of a contact by the first administrator, in each account. */
  function undoProbes(): Probe[] {
    return atEach((target) => ({
      placement: 'path',
      what: 'id',
      send: async ({ succeeds }) => {
        const id = succeeds && target !== 'absent' ? await world.makeEntry(target) : world.idOf(target, 'auditLogs')
        return { path: pathOf(undoChange, { id }) }
      },
      expects: (context) => (isIn(context.covers, target) ? undoing(context) : notFound),
      knows: ({ covers }) => covers,
      names: ({ covers }) => covers,
      ...(target === 'absent' ? {} : { changes: target }),
    }))
  }
}

/** Users who may view the audit log see another user's change, and those who may make it may undo it. */
function undoing(context: Context): Outcome {
  const { rights } = context.persona
  if (rights === undefined || !may(rights, 'view', 'Audit Logs')) return notFound
  return mayDo(context, 'manage', 'contacts') ? ok : forbidden
}

function mayDo({ persona: { rights } }: Context, action: 'view' | 'manage', collection: string) {
  return rights !== undefined && may(rights, action, subjectOf(collectionNamed(collection)))
}
