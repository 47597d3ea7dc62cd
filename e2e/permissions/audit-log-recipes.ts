import { nameOf, pathOf } from '@portcullis/contract/call'
import { asOf, undoChange } from '@portcullis/contract/calls/audit-logs'
import type { Context, Outcome } from './expected-answer.ts'
import { atEach, forbidden, isIn, notFound, ok, type Probe, type Recipe } from './probe.ts'
import { may, subjectOf } from './role-table.ts'
import { collectionNamed, type World } from './world.ts'

/** What the audit log can do besides being read: items as they were, and taking a change back. */
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

  /** The creation of a contact by the first administrator, of this account or of one below. */
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

/** What somebody else did is told to who may view the audit log, and taken back by who may do it. */
function undoing(context: Context): Outcome {
  const { rights } = context.persona
  if (rights === undefined || !may(rights, 'view', 'Audit Logs')) return notFound
  return mayDo(context, 'manage', 'contacts') ? ok : forbidden
}

function mayDo({ persona: { rights } }: Context, action: 'view' | 'manage', collection: string) {
  return rights !== undefined && may(rights, action, subjectOf(collectionNamed(collection)))
}
