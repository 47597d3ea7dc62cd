import type { Call } from '../call.ts'
import { accessMatrix } from './access-matrix.ts'
import { accessOfDoors, accessOfUsers } from './access-views.ts'
import { reviewRules } from './review-rules.ts'
import {
  accountImage,
  moveAccount,
  removeAccountImage,
  restoreAccount,
  setAccountImage,
  suspendAccount,
} from './accounts.ts'
import { assumeAccount, endAssumption } from './assume-account.ts'
import { asOf, undoChange } from './audit-logs.ts'
import { accountHierarchy, activity, confirmIdentity, login, logout, whoAmI } from './authentication.ts'
import { readConfiguration } from './configuration.ts'
import { floorPlanImage, removeFloorPlanImage, setFloorPlanImage } from './floor-plans.ts'
import { forgive } from './door-groups.ts'
import { inviteGuest, openAsGuest, readGuestAccess, renewGuest } from './guests.ts'
import { setDoorMode } from './door-modes.ts'
import { decideAccess, doorAccess, exportDoorAccess, exportUserAccess, userAccess } from './explorer.ts'
import {
  disableMfa,
  enableMfa,
  enforceMfa,
  mfaEnrol,
  mfaSetUp,
  mfaSignIn,
  renewRecoveryCodes,
  resetMfa,
} from './mfa.ts'
import { activeLockdowns, endLockdown, lockdownDoors, startLockdown } from './lockdowns.ts'
import { outbox } from './outbox.ts'
import {
  changeEmail,
  changePassword,
  patchMe,
  pendingEmail,
  resendVerification,
  sendVerification,
  takeBackEmail,
  verifyEmail,
} from './own-account.ts'
import { endOtherSessions, endOwnSession, ownSessions, ownSignIns } from './own-sessions.ts'
import {
  addAccounts,
  answerInvitation,
  answerOwnInvitation,
  ownInvitations,
  readInvitation,
  removeAccount,
  userAccounts,
} from './memberships.ts'
import { forgotPassword, resetPassword } from './password-reset.ts'
import { countRecertifyable, recertify, recertifyable } from './recertification.ts'
import { batchRules } from './batch-rules.ts'
import { holidaysAbove } from './holidays-above.ts'
import { exportCalendar, importHolidays } from './import-holidays.ts'
import { nationalHolidays } from './national-holidays.ts'
import { replaceSchedule } from './replace-schedule.ts'
import { actionRemoteAuth, askAtDoor, noteDecision, withdrawRequest } from './remote-access.ts'
import { moveUnits } from './move-units.ts'
import { exportDoorsOfSites, moveSite, siteStates } from './sites.ts'
import { createSavedView, deleteSavedView, patchSavedView, rememberColumns, savedViews } from './saved-views.ts'
import { checkLive, checkReady, readOpenApi } from './server.ts'
import { createCards, replaceCredential } from './cards.ts'
import { doorInterlocks } from './door-interlocks.ts'
import { doorUnlockHours } from './door-unlock-hours.ts'
import { leftOut, userLeftOut } from './left-out.ts'
import { unitDifference } from './unit-difference.ts'
import { whyThen } from './why-then.ts'
import { enrolUnit, readDoorCommand, replaceUnit, requestHeartbeat, revokeUnit, unlockOnce } from './units.ts'

/** Every call apart from the generic verbs of collections, in the order of the OpenAPI document. */
export const calls: readonly Call[] = [
  login,
  logout,
  whoAmI,
  forgotPassword,
  resetPassword,
  accountHierarchy,
  enrolUnit,
  requestHeartbeat,
  revokeUnit,
  replaceUnit,
  moveUnits,
  exportDoorsOfSites,
  moveSite,
  siteStates,
  floorPlanImage,
  setFloorPlanImage,
  removeFloorPlanImage,
  unitDifference,
  leftOut,
  unlockOnce,
  setDoorMode,
  startLockdown,
  endLockdown,
  activeLockdowns,
  lockdownDoors,
  doorInterlocks,
  doorUnlockHours,
  forgive,
  batchRules,
  inviteGuest,
  renewGuest,
  readGuestAccess,
  openAsGuest,
  accessMatrix,
  accessOfUsers,
  accessOfDoors,
  reviewRules,
  replaceSchedule,
  importHolidays,
  exportCalendar,
  nationalHolidays,
  holidaysAbove,
  readDoorCommand,
  askAtDoor,
  actionRemoteAuth,
  withdrawRequest,
  noteDecision,
  createCards,
  replaceCredential,
  recertifyable,
  countRecertifyable,
  recertify,
  userAccounts,
  addAccounts,
  removeAccount,
  ownInvitations,
  answerOwnInvitation,
  readInvitation,
  answerInvitation,
  outbox,
  patchMe,
  changePassword,
  changeEmail,
  pendingEmail,
  takeBackEmail,
  sendVerification,
  resendVerification,
  verifyEmail,
  activity,
  confirmIdentity,
  ownSessions,
  endOwnSession,
  endOtherSessions,
  ownSignIns,
  mfaSignIn,
  mfaSetUp,
  mfaEnrol,
  enableMfa,
  disableMfa,
  renewRecoveryCodes,
  resetMfa,
  enforceMfa,
  savedViews,
  createSavedView,
  patchSavedView,
  deleteSavedView,
  rememberColumns,
  doorAccess,
  exportDoorAccess,
  userAccess,
  userLeftOut,
  exportUserAccess,
  decideAccess,
  whyThen,
  moveAccount,
  suspendAccount,
  restoreAccount,
  accountImage,
  setAccountImage,
  removeAccountImage,
  assumeAccount,
  endAssumption,
  undoChange,
  asOf,
  readOpenApi,
  readConfiguration,
  checkLive,
  checkReady,
]
