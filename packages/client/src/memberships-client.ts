import type { BodyOf } from '@portcullis/contract/call'
import {
  addAccounts,
  answerInvitation,
  answerOwnInvitation,
  ownInvitations,
  readInvitation,
  removeAccount,
  userAccounts,
} from '@portcullis/contract/calls/memberships'
import type { Http } from './http.ts'

/** The accounts of users, and the invitations that users answer themselves. */
export function membershipsClient(http: Http) {
  return {
    /** The accounts and roles of a user, as far as the current user may see them. */
    of(user: string) {
      return http.call(userAccounts, { path: { id: user } })
    },
    /** Adds a user to all of these accounts. Throws `already_member`, `unknown_reference`. */
    add(user: string, body: BodyOf<typeof addAccounts>) {
      return http.call(addAccounts, { path: { id: user }, body })
    },
    /** Ends a user's role and access in an account. Throws `last_account`. */
    remove(user: string, account: string) {
      return http.call(removeAccount, { path: { id: user }, body: { account } })
    },
    /** The accounts that have invited the current user. */
    invitations() {
      return http.call(ownInvitations, {})
    },
    /** Accepts or declines an invitation. Throws `link_ended`. */
    answer(invitation: string, body: BodyOf<typeof answerOwnInvitation>) {
      return http.call(answerOwnInvitation, { path: { id: invitation }, body })
    },
    /** The invitation of a link from an email. Throws `link_ended`. */
    invitationOf(token: string) {
      return http.call(readInvitation, { body: { token } })
    },
    /** Accepts or declines it, also without a session. */
    answerLink(body: BodyOf<typeof answerInvitation>) {
      return http.call(answerInvitation, { body })
    },
  }
}
