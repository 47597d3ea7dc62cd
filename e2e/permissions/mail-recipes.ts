import { nameOf } from '@portcullis/contract/call'
import { outbox } from '@portcullis/contract/calls/outbox'
import { ok, type Recipe } from './probe.ts'

/** The delivery status of mails, for hyper users. */
export function mailRecipes(): Record<string, Recipe> {
  return {
    [nameOf(outbox)]: {
      allows: () => true,
      shows: 'user',
      isRead: true,
      refusesBeforeFreshSignIn: true,
      probes: [
        {
          placement: 'plain',
          what: 'the page',
          send: () => ({ path: outbox.path }),
          expects: ({ persona }) => (persona.rights === 'hyper' ? ok : { status: 403, code: 'hyper_only' }),
        },
      ],
    },
  }
}
