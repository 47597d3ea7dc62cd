import { accountHierarchy } from '@portcullis/contract/calls/authentication'
import {
  accountImage,
  maxImageBytes,
  moveAccount as moveCall,
  removeAccountImage,
  restoreAccount,
  setAccountImage,
  suspendAccount,
} from '@portcullis/contract/calls/accounts'
import { enforceMfa } from '@portcullis/contract/calls/mfa'
import { accounts } from '@portcullis/contract/collections/accounts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { accountHierarchy as hierarchyOf } from '../abilities/account-tree.ts'
import { resolveAccess } from '../abilities/resolve-access.ts'
import { patch } from '../collections/patch.ts'
import type { Database } from '../database/database.ts'
import { accessInOf } from '../http/access-in.ts'
import type { PersonOf } from '../http/access-of.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { accountHooks } from './accounts.ts'
import { sendPicture } from '../pictures/send-picture.ts'
import { moveAccount } from './move-account.ts'
import { setStatus } from './set-status.ts'
import { notFound } from '../collections/get.ts'
import { AppError } from '../errors/app-error.ts'
import { readImage, writeImage } from './account-image.ts'

type AccountCallOptions = Pick<ServeCall, 'serveCall' | 'serveProvenCall'> & { database: Database; personOf: PersonOf }

export function registerAccountCalls(
  app: FastifyInstance,
  { database, serveCall, serveProvenCall, personOf }: AccountCallOptions,
) {
  registerImageCalls(app, { database, serveCall })

  serveCall(app, accountHierarchy, async ({ person }) =>
    hierarchyOf(database, person.hyper ? 'all' : person.memberships.map(({ key }) => key)),
  )

  serveProvenCall(app, enforceMfa, async ({ access, path, input }) =>
    patch(database, {
      collection: accounts,
      hooks: accountHooks,
      access,
      ...path,
      body: { enforceMfa: input.enforce },
    }),
  )

  serveCall(app, moveCall, async ({ request, access, path, input }) => {
    const { answer, entry } = await moveAccount(contextFor(request), { access, ...path, request: input })
    return { item: answer, entry }
  })

  serveCall(app, suspendAccount, async ({ request, access, path }) =>
    setStatus(contextFor(request), { access, ...path, status: 'suspended' }),
  )

  serveCall(app, restoreAccount, async ({ request, access, path }) =>
    setStatus(contextFor(request), { access, ...path, status: 'active' }),
  )

  /** Resolves the user's rights in other accounts too. */
  function contextFor(request: FastifyRequest) {
    return { database, accessIn: accessInOf({ database, personOf }, request) }
  }
}

type ImageCallOptions = Pick<ServeCall, 'serveCall'> & { database: Database }

/** Serves the picture of an account to users who can see the account. */
function registerImageCalls(app: FastifyInstance, { database, serveCall }: ImageCallOptions) {
  serveCall(app, accountImage, async ({ request, reply, person, path }) => {
    const lookup = { person, account: path.id, allAccounts: 'no', requestId: request.id } as const
    const access = await resolveAccess(database, lookup).catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'account_refused' ? notFound(accounts) : error
    })
    return sendPicture({ request, reply }, await readImage(database, access))
  })

  void app.register(async (inner) => {
    inner.addContentTypeParser(
      [...setAccountImage.upload],
      { parseAs: 'buffer', bodyLimit: maxImageBytes },
      async (_request: unknown, body: Buffer) => body,
    )
    serveCall(inner, setAccountImage, async ({ request, access, path }) => ({
      entry: await writeImage(database, { access, ...path, upload: request.body }),
    }))
    serveCall(inner, removeAccountImage, async ({ access, path }) => ({
      entry: await writeImage(database, { access, ...path, upload: 'none' }),
    }))
  })
}
