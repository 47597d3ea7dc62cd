import { nameOf } from '@portcullis/contract/call'
import { readConfiguration } from '@portcullis/contract/calls/configuration'
import { checkLive, checkReady, readOpenApi } from '@portcullis/contract/calls/server'
import { accountRecipes } from './account-recipes.ts'
import { assumeRecipes } from './assume-recipes.ts'
import { auditLogRecipes } from './audit-log-recipes.ts'
import { cardRecipes } from './card-recipes.ts'
import { explorerRecipes } from './explorer-recipes.ts'
import { guestRecipes } from './guest-recipes.ts'
import { floorPlanRecipes } from './floor-plan-recipes.ts'
import { lockdownRecipes } from './lockdown-recipes.ts'
import { mailRecipes } from './mail-recipes.ts'
import { membershipRecipes } from './membership-recipes.ts'
import { mfaRecipes } from './mfa-recipes.ts'
import { ownAccountRecipes } from './own-account-recipes.ts'
import { ownSessionRecipes } from './own-session-recipes.ts'
import { ok, type Recipe } from './probe.ts'
import { recertificationRecipes } from './recertification-recipes.ts'
import { remoteAccessRecipes } from './remote-access-recipes.ts'
import { sessionRecipes } from './session-recipes.ts'
import { ruleRecipes } from './rule-recipes.ts'
import { scheduleRecipes } from './schedule-recipes.ts'
import { siteRecipes } from './site-recipes.ts'
import { unitRecipes } from './unit-recipes.ts'
import { viewRecipes } from './view-recipes.ts'
import type { World } from './world.ts'

/** The recipe of each route that is not a generic verb, by the route's name in the document. */
export function callRecipes(world: World): Readonly<Record<string, Recipe>> {
  return {
    ...pageRecipes(),
    ...sessionRecipes(world),
    ...mailRecipes(),
    ...ownAccountRecipes(world),
    ...ownSessionRecipes(world),
    ...mfaRecipes(world),
    ...unitRecipes(world),
    ...siteRecipes(world),
    ...floorPlanRecipes(world),
    ...lockdownRecipes(world),
    ...ruleRecipes(world),
    ...cardRecipes(world),
    ...guestRecipes(world),
    ...membershipRecipes(world),
    ...scheduleRecipes(world),
    ...remoteAccessRecipes(world),
    ...recertificationRecipes(world),
    ...viewRecipes(world),
    ...accountRecipes(world),
    ...assumeRecipes(world),
    ...auditLogRecipes(world),
    ...explorerRecipes(world),
  }
}

/** Routes that return the same answer to every user. */
function pageRecipes(): Record<string, Recipe> {
  const pages = [readConfiguration, checkLive, checkReady, readOpenApi]
  const recipe = (path: string): Recipe => ({
    allows: () => true,
    shows: 'nothing',
    isRead: true,
    probes: [{ placement: 'plain', what: 'the page', send: () => ({ path }), expects: () => ok }],
  })
  return Object.fromEntries(pages.map((call) => [nameOf(call), recipe(call.path)]))
}
