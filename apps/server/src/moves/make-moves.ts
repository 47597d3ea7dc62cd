import type { FastifyRequest } from 'fastify'
import type { Access } from '../abilities/access.ts'
import type { ChangeFeed } from '../changes/change-feed.ts'
import type { Database } from '../database/database.ts'
import { accessInOf } from '../http/access-in.ts'
import type { PersonOf } from '../http/access-of.ts'
import { FairTurns } from '../limits/fair-turns.ts'
import { Turns } from '../limits/turns.ts'
import type { Policies } from '../policy/policies.ts'
import { moveItems, type MoveInput } from './move-items.ts'

type MovesOptions = { database: Database; feed: ChangeFeed; policies: Policies; personOf: PersonOf }

export type Moves = ReturnType<typeof makeMoves>

/**
 * Each may wait for the lock of its account tree, on a connection that the sign-ins of all customers need too. An account
 * has one place in the line of its tree.
 */
const changesOfTree = { most: 1, waiting: 100 } as const
const changesOfAccount = { most: 1, waiting: 4 } as const
const previewsOfMoves = { most: 1, ofKey: 4 } as const

/** Moves of items to other accounts, and other changes that lock a whole tree, each in its turn. */
export function makeMoves({ database, feed, policies, personOf }: MovesOptions) {
  const [ofTree, ofAccount] = [new Turns(changesOfTree), new Turns(changesOfAccount)]
  const previews = new FairTurns(previewsOfMoves)
  return { inTurn, move }

  function inTurn<T>({ account: { _id, root } }: Access, work: () => Promise<T>) {
    return ofAccount.take(_id, () => ofTree.take(`${root}`, work))
  }

  /** A preview takes no lock, but decides for all users. */
  async function move(request: FastifyRequest, input: MoveInput) {
    const { account, signal } = input.access
    const work = () => moveItems({ database, policies, accessIn: accessInOf({ database, personOf }, request) }, input)
    const moved = await (input.isPreview
      ? previews.take({ key: account._id, signal }, work)
      : inTurn(input.access, work))
    feed.hint()
    return moved
  }
}
