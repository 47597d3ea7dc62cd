import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import type { Session } from '../session/session-context.tsx'
import { accountRoute, needs } from './account-route.tsx'

const home = createRoute({
  getParentRoute: () => accountRoute,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/$account/sites', params, replace: true })
  },
})

const unknown = createRoute({
  getParentRoute: () => accountRoute,
  path: '$',
  beforeLoad: () => {
    throw redirect({ to: '/$account/sites', params: { account: 'null' }, replace: true })
  },
})

const dashboardScreen = lazyRouteComponent(() => import('../dashboard/dashboard-screen.tsx'), 'DashboardScreen')
const sitesScreen = lazyRouteComponent(() => import('../sites/sites-screen.tsx'), 'SitesScreen')
const sitesMapScreen = lazyRouteComponent(() => import('../sites/sites-map-screen.tsx'), 'SitesMapScreen')
const siteGroupsScreen = lazyRouteComponent(() => import('../groups/groups-screens.tsx'), 'SiteGroupsScreen')
const doorGroupsScreen = lazyRouteComponent(() => import('../groups/groups-screens.tsx'), 'DoorGroupsScreen')
const interlocksScreen = lazyRouteComponent(() => import('../groups/interlocks-screen.tsx'), 'InterlocksScreen')
const sitePage = lazyRouteComponent(() => import('./site-page.tsx'), 'SitePage')
const floorPlansPage = lazyRouteComponent(() => import('./floor-plans-page.tsx'), 'FloorPlansPage')
const unitsScreen = lazyRouteComponent(() => import('../units/units-screen.tsx'), 'UnitsScreen')
const unitPage = lazyRouteComponent(() => import('./unit-page.tsx'), 'UnitPage')
const eventsScreen = lazyRouteComponent(() => import('./event-pages.tsx'), 'EventsPage')
const rulesPage = lazyRouteComponent(() => import('./rules-page.tsx'), 'RulesPage')
const matrixScreen = lazyRouteComponent(() => import('../rules/matrix-screen.tsx'), 'MatrixScreen')
const reviewScreen = lazyRouteComponent(() => import('../rules/review-screen.tsx'), 'ReviewScreen')
const adhocScreen = lazyRouteComponent(() => import('../rules/adhoc-screen.tsx'), 'AdhocScreen')
const lockdownPlansScreen = lazyRouteComponent(
  () => import('../lockdowns/lockdown-plans-screen.tsx'),
  'LockdownPlansScreen',
)
const lockdownsScreen = lazyRouteComponent(() => import('../lockdowns/lockdowns-screen.tsx'), 'LockdownsScreen')
const lockdownScreen = lazyRouteComponent(() => import('../lockdowns/lockdown-screen.tsx'), 'LockdownScreen')
const schedulesScreen = lazyRouteComponent(() => import('../schedules/schedules-screen.tsx'), 'SchedulesScreen')
const holidaysScreen = lazyRouteComponent(() => import('../holidays/holidays-screen.tsx'), 'HolidaysScreen')
const usersScreen = lazyRouteComponent(() => import('./user-pages.tsx'), 'UsersPage')
const explorerScreen = lazyRouteComponent(() => import('../explorer/explorer-screen.tsx'), 'ExplorerScreen')
const accountsScreen = lazyRouteComponent(() => import('../accounts/accounts-screen.tsx'), 'AccountsScreen')
const accountTreeScreen = lazyRouteComponent(() => import('../accounts/account-tree-screen.tsx'), 'AccountTreeScreen')
const tenantsScreen = lazyRouteComponent(() => import('../tenants/tenants-screen.tsx'), 'TenantsScreen')
const contactsScreen = lazyRouteComponent(() => import('../contacts/contacts-screen.tsx'), 'ContactsScreen')
const reportsScreen = lazyRouteComponent(() => import('./event-pages.tsx'), 'ReportsPage')
const auditLogsScreen = lazyRouteComponent(() => import('../audit-logs/audit-logs-screen.tsx'), 'AuditLogsScreen')
const userGroupsScreen = lazyRouteComponent(() => import('../groups/groups-screens.tsx'), 'UserGroupsScreen')

const settingsScreen = lazyRouteComponent(() => import('../settings/settings-screen.tsx'), 'SettingsScreen')
const outboxScreen = lazyRouteComponent(() => import('../outbox/outbox-screen.tsx'), 'OutboxScreen')

const cardFormatsScreen = lazyRouteComponent(
  () => import('../card-formats/card-formats-screen.tsx'),
  'CardFormatsScreen',
)
const unassignedCardsScreen = lazyRouteComponent(
  () => import('../credentials/unassigned-cards-screen.tsx'),
  'UnassignedCardsScreen',
)
const recertifyScreen = lazyRouteComponent(() => import('./user-pages.tsx'), 'RecertifyPage')
const requestsScreen = lazyRouteComponent(() => import('../tasks/requests-screen.tsx'), 'RequestsScreen')

const partsPage = lazyRouteComponent(() => import('./parts-page.tsx'), 'PartsPage')

const seesDashboard = needs('view', 'Dashboards')
const seesSites = needs('view', 'Sites')
const seesUnits = needs('view', 'Controllers')
const seesAccounts = needs('view', 'Accounts')
const seesReports = needs('view', 'Incident Reports')
const seesTenants = needs('view', 'Tenants')
const seesContacts = needs('view', 'Contacts')
const seesAuditLogs = needs('view', 'Audit Logs')
const seesRequests = needs('view', 'RemoteAuth')

const site = createRoute({
  getParentRoute: () => accountRoute,
  path: '/sites/$site',
  beforeLoad: seesSites,
  component: sitePage,
})

const floorPlans = createRoute({
  getParentRoute: () => accountRoute,
  path: '/sites/$site/floorPlans',
  beforeLoad: seesSites,
  component: floorPlansPage,
})

const unit = createRoute({
  getParentRoute: () => accountRoute,
  path: '/units/$unit',
  beforeLoad: seesUnits,
  component: unitPage,
})

const lockdown = createRoute({
  getParentRoute: () => accountRoute,
  path: '/rules/lockdowns/$lockdown',
  component: lockdownScreen,
})

/** The screens of the console, in chunks that load when they are opened, each with the permission of specification §2. */
export const consoleRoutes = [
  home,
  screen({ path: '/dashboard', beforeLoad: seesDashboard, component: dashboardScreen }),
  screen({ path: '/sites', beforeLoad: seesSites, component: sitesScreen }),
  screen({ path: '/sites/list', beforeLoad: seesSites, component: sitesScreen }),
  screen({ path: '/sites/map', beforeLoad: seesSites, component: sitesMapScreen }),
  screen({ path: '/sites/groups', beforeLoad: seesSites, component: siteGroupsScreen }),
  screen({ path: '/sites/doorGroups', beforeLoad: seesSites, component: doorGroupsScreen }),
  screen({ path: '/sites/interlocks', beforeLoad: seesSites, component: interlocksScreen }),
  site,
  floorPlans,
  screen({ path: '/units', beforeLoad: seesUnits, component: unitsScreen }),
  screen({ path: '/units/list', beforeLoad: seesUnits, component: unitsScreen }),
  unit,
  // The events need no permission to be opened: every other screen sends users without permission here.
  screen({ path: '/events', component: eventsScreen }),
  screen({ path: '/events/list', component: eventsScreen }),
  screen({ path: '/auditLogs', beforeLoad: seesAuditLogs, component: auditLogsScreen }),
  screen({ path: '/auditLogs/list', beforeLoad: seesAuditLogs, component: auditLogsScreen }),
  screen({ path: '/incidentReports', beforeLoad: seesReports, component: reportsScreen }),
  screen({ path: '/incidentReports/list', beforeLoad: seesReports, component: reportsScreen }),
  screen({ path: '/contacts', beforeLoad: seesContacts, component: contactsScreen }),
  screen({ path: '/contacts/list', beforeLoad: seesContacts, component: contactsScreen }),
  screen({ path: '/account', beforeLoad: seesAccounts, component: accountTreeScreen }),
  screen({ path: '/account/list', beforeLoad: seesAccounts, component: accountsScreen }),
  screen({ path: '/tenant', beforeLoad: seesTenants, component: tenantsScreen }),
  screen({ path: '/tenant/list', beforeLoad: seesTenants, component: tenantsScreen }),
  // Rules and users are not in the route table's permissions: their lists say themselves when they are not available.
  screen({ path: '/rules', component: rulesPage }),
  screen({ path: '/rules/list', component: rulesPage }),
  screen({ path: '/rules/matrix', component: matrixScreen }),
  screen({ path: '/rules/review', component: reviewScreen }),
  screen({ path: '/rules/explorer', component: explorerScreen }),
  screen({ path: '/rules/schedules', component: schedulesScreen }),
  screen({ path: '/rules/holidays', component: holidaysScreen }),
  screen({ path: '/rules/adhoc', component: adhocScreen }),
  screen({ path: '/rules/lockdownPlans', component: lockdownPlansScreen }),
  screen({ path: '/rules/lockdowns', component: lockdownsScreen }),
  lockdown,
  screen({ path: '/users', component: usersScreen }),
  screen({ path: '/users/list', component: usersScreen }),
  screen({ path: '/users/groups', component: userGroupsScreen }),
  screen({ path: '/users/cards', component: unassignedCardsScreen }),
  screen({ path: '/users/cardFormats', component: cardFormatsScreen }),
  screen({ path: '/users/settings', component: settingsScreen }),
  // Neither is this one: the list says so to users who may not recertify.
  screen({ path: '/recertify', component: recertifyScreen }),
  screen({ path: '/recertify/list', component: recertifyScreen }),
  screen({ path: '/tasks', beforeLoad: seesRequests, component: requestsScreen }),
  screen({ path: '/tasks/list', beforeLoad: seesRequests, component: requestsScreen }),
  screen({ path: '/outbox', beforeLoad: isForHyperUsers, component: outboxScreen }),
  // The parts of the console, for developers of screens; nothing links to it.
  screen({ path: '/parts', beforeLoad: isForBuilders, component: partsPage }),
  unknown,
] as const

async function isForBuilders({ context }: { context: { session: Session } }) {
  if (context.session.user.hyper) return
  throw redirect({ to: '/$account/sites', params: { account: 'null' }, replace: true })
}

async function isForHyperUsers({ context }: { context: { session: Session } }) {
  if (context.session.user.hyper) return
  throw redirect({ href: `/${context.session.account.ref}/events/list`, replace: true })
}

type Screen<P extends string> = {
  path: P
  beforeLoad?: ReturnType<typeof needs>
  component: ReturnType<typeof lazyRouteComponent>
}

function screen<const P extends string>({ path, beforeLoad, component }: Screen<P>) {
  return createRoute({
    getParentRoute: () => accountRoute,
    path,
    component,
    ...(beforeLoad ? { beforeLoad } : {}),
  })
}
