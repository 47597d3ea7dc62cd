import type { BodyOf } from '@portcullis/contract/call'
import { accountHierarchy, activity, login, logout, whoAmI } from '@portcullis/contract/calls/authentication'
import { readConfiguration } from '@portcullis/contract/calls/configuration'
import { forgive } from '@portcullis/contract/calls/door-groups'
import { type DoorModeRequest, setDoorMode } from '@portcullis/contract/calls/door-modes'
import { doorInterlocks } from '@portcullis/contract/calls/door-interlocks'
import { doorUnlockHours } from '@portcullis/contract/calls/door-unlock-hours'
import { activeLockdowns, endLockdown, lockdownDoors, startLockdown } from '@portcullis/contract/calls/lockdowns'
import { outbox } from '@portcullis/contract/calls/outbox'
import { patchMe, resendVerification, verifyEmail } from '@portcullis/contract/calls/own-account'
import { forgotPassword, resetPassword } from '@portcullis/contract/calls/password-reset'
import type { ExportRequest } from '@portcullis/contract/export-request'
import { exportDoorsOfSites, moveSite, siteStates } from '@portcullis/contract/calls/sites'
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
import type { Collection } from '@portcullis/contract/collection'
import { asOf, undoChange } from '@portcullis/contract/calls/audit-logs'
import {
  actionRemoteAuth,
  askAtDoor,
  noteDecision,
  requestSeconds,
  withdrawRequest,
} from '@portcullis/contract/calls/remote-access'
import {
  createSavedView,
  deleteSavedView,
  patchSavedView,
  rememberColumns,
  savedViews,
} from '@portcullis/contract/calls/saved-views'
import { accountsClient } from './accounts-client.ts'
import { collectionClient } from './collection-client.ts'
import { membershipsClient } from './memberships-client.ts'
import { mfaClient, ownAccountClient, ownSessionsClient } from './own-account-client.ts'
import { explorerClient } from './explorer-client.ts'
import { floorPlansClient } from './floor-plans-client.ts'
import { cardsClient } from './cards-client.ts'
import { holidaysClient } from './holidays-client.ts'
import { recertificationClient } from './recertification-client.ts'
import { rulesClient } from './rules-client.ts'
import { createHttp, type Http, type HttpOptions } from './http.ts'

export type Client = ReturnType<typeof createClient>

/** The whole API, typed from the contract. */
export function createClient(options: HttpOptions) {
  const http = createHttp(options)
  return {
    http,
    of<C extends Collection>(collection: C) {
      return collectionClient(http, collection)
    },
    remoteAccess: remoteAccessClient(http),
    recertification: recertificationClient(http),
    cards: cardsClient(http),
    holidays: holidaysClient(http),
    rules: rulesClient(http),
    accounts: accountsClient(http),
    memberships: membershipsClient(http),
    savedViews: savedViewsClient(http),
    floorPlans: floorPlansClient(http),
    explorer: explorerClient(http),
    history: historyClient(http),
    mfa: mfaClient(http),
    ownAccount: ownAccountClient(http),
    sessions: ownSessionsClient(http),
    configuration() {
      return http.call(readConfiguration, {})
    },
    login(body: BodyOf<typeof login>) {
      return http.call(login, { body })
    },
    logout() {
      return http.call(logout, {})
    },
    /** Reports that the user moves, types or touches. Returns when the session ends unless there is more activity. */
    activity() {
      return http.call(activity, {})
    },
    /** Changes the current user's name, or accepts policies. */
    patchMe(body: BodyOf<typeof patchMe>) {
      return http.call(patchMe, { body })
    },
    /** Sends the email that confirms an email address. */
    resendVerification(user: string) {
      return http.call(resendVerification, { path: { id: user } })
    },
    /** Confirms an email address with the link from an email. Throws `link_ended` if the link no longer works. */
    verifyEmail({ user, token }: { user: string; token: string }) {
      return http.call(verifyEmail, { path: { id: user, token } })
    },
    /** Sends a link to set a new password. The answer is the same whether or not a user has this email. */
    forgotPassword(email: string) {
      return http.call(forgotPassword, { query: { email } })
    },
    /** Sets a new password with the link from an email. Throws `link_ended` if the link no longer works. */
    resetPassword({ user, token, ...body }: { user: string; token: string } & BodyOf<typeof resetPassword>) {
      return http.call(resetPassword, { path: { id: user, token }, body })
    },
    /** The current user and their rights in the current account, in another one, or in one inside that. */
    me(account?: string | null, { inside }: { inside?: string } = {}) {
      return http.call(whoAmI, {
        ...(account === undefined ? {} : { account }),
        ...(inside === undefined ? {} : { inside }),
      })
    },
    /** The accounts that the current user can see as a tree. */
    hierarchy() {
      return http.call(accountHierarchy, {})
    },
    /** The latest emails and their status, for hyper users. */
    outbox() {
      return http.call(outbox, {})
    },
    enrolUnit(unit: string) {
      return http.call(enrolUnit, { path: { id: unit } })
    },
    /** Asks a connected controller for a heartbeat; the unit then has `heartbeatAnsweredAt`. */
    requestHeartbeat(unit: string) {
      return http.call(requestHeartbeat, { path: { id: unit } })
    },
    /** Ends the connection of a controller, which then has to enrol again. */
    revokeUnit(unit: string) {
      return http.call(revokeUnit, { path: { id: unit } })
    },
    /** Prepares a new controller, with this serial, to take the place of a broken one; returns its enrolment code. */
    replaceUnit(unit: string, { serial }: { serial: string }) {
      return http.call(replaceUnit, { path: { id: unit }, body: { serial } })
    },
    /**
     * Moves controllers with their doors to another account of the tree; with `dryRun`, only returns what would move and
     * whose access would change.
     */
    moveUnits(body: { unitIds: string[]; toAccount: string; dryRun?: boolean }) {
      return http.call(moveUnits, { body })
    },
    /** All doors of the sites that the filter and the search find, as a file. */
    exportDoorsOfSites(body: ExportRequest, options: Reading & { allAccounts?: 'yes' | 'no' } = {}) {
      const { method, path } = exportDoorsOfSites
      return http.download({ method, path, body, ...options })
    },
    /** Moves a site with its doors and controllers to another account of the tree; a preview changes nothing. */
    moveSite(body: { siteId: string; accountId: string }, { isPreview }: { isPreview: boolean }) {
      return http.call(moveSite, { body, query: isPreview ? { preview: 'true' as const } : {} })
    },
    /** The doors and controllers of sites, counted by their current state, and the users inside. */
    siteStates(ids: readonly string[], options: Reading & { allAccounts?: 'yes' | 'no' } = {}) {
      return http.call(siteStates, { query: { ids: ids.join(',') }, ...options })
    },
    /** Compares the applied configuration of a controller with the desired one. */
    unitDifference(unit: string, options: Reading = {}) {
      return http.call(unitDifference, { path: { id: unit }, ...options })
    },
    /** Lists the items for which a controller has no room. */
    leftOut(unit: string, options: Reading = {}) {
      return http.call(leftOut, { path: { id: unit }, ...options })
    },
    /** Sets a door's desired mode: `setDoorMode(id, { mode: 'unlocked', until })`. Its controller confirms it later. */
    setDoorMode(door: string, body: DoorModeRequest) {
      return http.call(setDoorMode, { path: { id: door }, body })
    },
    /** Locks down the doors of a plan; returns the lockdown that is active, which may be one that runs already. */
    startLockdown(plan: string) {
      return http.call(startLockdown, { path: { id: plan } })
    },
    /** Ends a lockdown: its doors return to the modes that they had before. */
    endLockdown(lockdown: string) {
      return http.call(endLockdown, { path: { id: lockdown } })
    },
    /** The active lockdowns, with the number of doors that have confirmed each. */
    activeLockdowns(options: Reading = {}) {
      return http.call(activeLockdowns, options)
    },
    /** The doors of an active lockdown, each with its state. */
    lockdownDoors(lockdown: string, options: Reading = {}) {
      return http.call(lockdownDoors, { path: { id: lockdown }, ...options })
    },
    /** The interlocks of a door, with the known states of their doors. */
    doorInterlocks(door: string, options: Reading = {}) {
      return http.call(doorInterlocks, { path: { id: door }, ...options })
    },
    /** Whether doors stand unlocked by their schedules now. */
    doorUnlockHours(ids: readonly string[], options: Reading & { allAccounts?: 'yes' | 'no' } = {}) {
      return http.call(doorUnlockHours, { query: { ids: ids.join(',') }, ...options })
    },
    /** Lets a user, or everyone with null, pass an anti-passback area once more, wherever they passed last. */
    forgive(doorGroup: string, user: string | null) {
      return http.call(forgive, { path: { id: doorGroup }, body: { user } })
    },
    unlockOnce(door: string) {
      return http.call(unlockOnce, { path: { id: door } })
    },
    doorCommand(id: string) {
      return http.call(readDoorCommand, { path: { id } })
    },
  }
}

/** Undoes changes, and reads items as they were. */
function historyClient(http: Http) {
  return {
    /**
     * Undoes one change; `entry` is the `_id` of its audit log entry, which `onRecorded` gets. Throws `changed_since`
     * if the item has changed again since.
     */
    undo(entry: string) {
      return http.call(undoChange, { path: { id: entry } })
    },
    /**
     * An item as it was at a point in time, even if it has been deleted since. Throws `not_found` if it did not exist.
     */
    asOf(collection: Collection, id: string, { at, ...options }: { at: string } & Reading) {
      return http.call(asOf, { path: { collection: collection.name, id }, query: { at }, ...options })
    },
  }
}

type Reading = { allAccounts?: 'yes' | 'no'; signal?: AbortSignal }

/** Requests for remote access at doors, and decisions about them. */
function remoteAccessClient(http: Http) {
  return {
    /** Requests remote access at a door for the current user; another user decides within these seconds. */
    ask(door: string, { expiresAfterSeconds = requestSeconds.initial }: { expiresAfterSeconds?: number } = {}) {
      return http.call(askAtDoor, { body: { type: 'RemoteAuthRequest', door, data: { expiresAfterSeconds } } })
    },
    grant(task: string) {
      return http.call(actionRemoteAuth, { path: { id: task }, body: { grant: true } })
    },
    deny(task: string) {
      return http.call(actionRemoteAuth, { path: { id: task }, body: { grant: false } })
    },
    /** Deletes an open request: one's own, or any for users who may decide it. */
    withdraw(task: string) {
      return http.call(withdrawRequest, { path: { id: task } })
    },
    /** Adds a note to a decision, or changes it. */
    note(task: string, note: string) {
      return http.call(noteDecision, { path: { id: task }, body: { note } })
    },
  }
}

/** Saved views of lists, private or shared, and the columns that the user chose last. */
function savedViewsClient(http: Http) {
  return {
    list(list: string, options: { signal?: AbortSignal } = {}) {
      return http.call(savedViews, { query: { list }, ...options })
    },
    create(body: BodyOf<typeof createSavedView>) {
      return http.call(createSavedView, { body })
    },
    patch(id: string, body: BodyOf<typeof patchSavedView>) {
      return http.call(patchSavedView, { path: { id }, body })
    },
    remove(id: string) {
      return http.call(deleteSavedView, { path: { id } })
    },
    rememberColumns(body: BodyOf<typeof rememberColumns>) {
      return http.call(rememberColumns, { body })
    },
  }
}
