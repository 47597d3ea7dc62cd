import { type BodyOf, pathOf } from '@portcullis/contract/call'
import { accessMatrix } from '@portcullis/contract/calls/access-matrix'
import { accessOfDoors, accessOfUsers } from '@portcullis/contract/calls/access-views'
import { batchResult, batchRules } from '@portcullis/contract/calls/batch-rules'
import { guestPass, inviteGuest, renewGuest } from '@portcullis/contract/calls/guests'
import { reviewRules } from '@portcullis/contract/calls/review-rules'
import { replacedSchedule, replaceSchedule } from '@portcullis/contract/calls/replace-schedule'
import { changePreview } from '@portcullis/contract/change-preview'
import type { Http } from './http.ts'

type Reading = { signal?: AbortSignal }

/** Many rules at once, the rules between groups and doors, and the schedules of rules. */
export function rulesClient(http: Http) {
  return {
    /** Saves and deletes up to 1,000 access rules: all or, with `rowByRow`, each that can be. */
    batch(body: BodyOf<typeof batchRules>) {
      const { method, path } = batchRules
      return http.request({ method, path, body, answer: batchResult })
    },
    /** The rules between user groups and places. */
    matrix({ groups, places }: { groups: readonly string[]; places: readonly string[] }, options: Reading = {}) {
      return http.call(accessMatrix, { query: { groups: groups.join(','), places: places.join(',') }, ...options })
    },
    /** The rules that name users, and how many doors each of these can open. */
    ofUsers(users: readonly string[], options: Reading = {}) {
      return http.call(accessOfUsers, { query: { users: users.join(',') }, ...options })
    },
    /** The rules that apply at doors, and how many users can open each. */
    ofDoors(doors: readonly string[], options: Reading = {}) {
      return http.call(accessOfDoors, { query: { doors: doors.join(',') }, ...options })
    },
    /** Rules that never apply, repeat or contradict others, and users without access. */
    review(options: Reading = {}) {
      return http.call(reviewRules, options)
    },
    /** What that would do. Nothing is stored; throws `rows_refused` if a row would be refused. */
    previewBatch(body: BodyOf<typeof batchRules>, options: Reading = {}) {
      const { method, path } = batchRules
      return http.request({ method, path, query: { preview: 'true' }, body, answer: changePreview, ...options })
    },
    /** Gives a guest temporary access; the code and the link are only in this answer. */
    inviteGuest(body: BodyOf<typeof inviteGuest>) {
      const { method, path } = inviteGuest
      return http.request({ method, path, body, answer: guestPass })
    },
    /** What that would do. Nothing is stored. */
    previewGuest(body: BodyOf<typeof inviteGuest>, options: Reading = {}) {
      const { method, path } = inviteGuest
      return http.request({ method, path, query: { preview: 'true' }, body, answer: changePreview, ...options })
    },
    /** A new code or a new link for the guest of a rule; the previous one no longer works. */
    renewGuest(rule: string, body: BodyOf<typeof renewGuest>) {
      return http.call(renewGuest, { path: { id: rule }, body })
    },
    /** Gives the rules of a schedule another one, and deletes it with `delete`. */
    replaceSchedule(schedule: string, body: BodyOf<typeof replaceSchedule>) {
      const { method } = replaceSchedule
      const path = pathOf(replaceSchedule, { id: schedule })
      return http.request({ method, path, body, answer: replacedSchedule })
    },
    /** What that would do. Nothing is stored. */
    previewReplacement(schedule: string, body: BodyOf<typeof replaceSchedule>, options: Reading = {}) {
      const { method } = replaceSchedule
      const path = pathOf(replaceSchedule, { id: schedule })
      return http.request({ method, path, query: { preview: 'true' }, body, answer: changePreview, ...options })
    },
  }
}
