import {
  inviteGuest as inviteCall,
  openAsGuest as openCall,
  readGuestAccess,
  renewGuest as renewCall,
} from '@portcullis/contract/calls/guests'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Access } from '../abilities/access.ts'
import { workAs } from '../abilities/access-proof.ts'
import { brandOfAccount } from '../brands/brand-of-account.ts'
import type { ChangeFeed } from '../changes/change-feed.ts'
import type { CollectionHooks } from '../collections/collection-hooks.ts'
import type { Database, Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { networkOf } from '../http/client-network.ts'
import { ownUrl } from '../http/own-url.ts'
import type { ServeCall } from '../http/serve-call.ts'
import { TokenBuckets } from '../limits/token-buckets.ts'
import { linkUrl } from '../mail/mail-brand.ts'
import type { Policies } from '../policy/policies.ts'
import type { PreviewChange } from '../preview/preview-change.ts'
import { accessOfLink, findLink } from './guest-link.ts'
import { inviteGuest, renewGuest } from './invite-guest.ts'
import { openAsGuest } from './open-as-guest.ts'

type GuestCallsOptions = Pick<ServeCall, 'serveCall' | 'serveProvenCall'> & {
  database: Database
  feed: ChangeFeed
  policies: Policies
  hooksByCollection: Readonly<Record<string, CollectionHooks>>
  previewChange: PreviewChange
  publicUrl: string | undefined
}

/** Temporary access for guests, and the page on which they open doors. */
export function registerGuestCalls(app: FastifyInstance, options: GuestCallsOptions) {
  const { database, feed, policies, hooksByCollection, previewChange, publicUrl, serveCall, serveProvenCall } = options

  serveProvenCall(app, inviteCall, async ({ access, query: { preview }, input }) => {
    if (preview === undefined) spendMails(access, input.email)
    const parts = await partsOf(access)
    const write = (tx: Transaction) => inviteGuest(tx, { ...parts, input })
    if (preview !== undefined) return previewChange(access, { write, withAccess: preview === 'true' })
    return workAs(database, access, write)
  })

  serveProvenCall(app, renewCall, async ({ access, path: { id }, input }) => {
    spendMails(access, input.email)
    const parts = await partsOf(access)
    return workAs(database, access, (tx) => renewGuest(tx, { ...parts, id, input }))
  })

  async function partsOf(access: Access) {
    const { key } = access.account
    const brand = await database.asSystem((tx) => brandOfAccount(tx, key))
    const url = linkUrl(ownUrl({ publicUrl, address: app.server.address() }), brand)
    const { index } = await policies.latestOfAccount(key)
    return { access, hooksByCollection, url, index }
  }

  serveCall(app, readGuestAccess, async ({ request, input: { token } }) => {
    const link = await linkOf(request, token)
    if (link) spend(readings, link.rule)
    return accessOfLink({ database, policies }, link)
  })

  serveCall(app, openCall, async ({ request, input: { token, door } }) => {
    const link = await linkOf(request, token)
    if (link) spend(openings, link.rule)
    const opened = await openAsGuest({ database, policies }, { link, door, requestId: request.id })
    feed.hint()
    return opened
  })

  function linkOf(request: FastifyRequest, token: string) {
    spend(guestRequests, networkOf(request.ip))
    return findLink(database, token)
  }
}

/** By network, and for each link. Tokens cannot be guessed: the limits bound the work that strangers can cause on this server. */
export const guestRequests = new TokenBuckets({ burst: 240, perSecond: 4 })
const readings = new TokenBuckets({ burst: 60, perSecond: 2 })
const openings = new TokenBuckets({ burst: 10, perSecond: 1 / 3 })

/** An invitation with a link and a code counts once. By user, and by the address that receives them. */
const mailsFrom = new TokenBuckets({ burst: 60, perSecond: 60 / 3_600 })
const mailsTo = new TokenBuckets({ burst: 5, perSecond: 5 / 3_600 })

function spendMails({ person }: Access, email: string | null) {
  if (email === null) return
  spend(mailsFrom, person._id)
  spend(mailsTo, email.toLowerCase())
}

function spend(buckets: TokenBuckets, key: string) {
  const bucket = buckets.of(key)
  if (bucket.trySpend(1)) return
  throw new AppError('too_many', {}, { retryAfterSeconds: Math.ceil(bucket.msUntil(1) / 1_000) })
}
