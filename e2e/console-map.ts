import { type Action, isAllowed, type AbilityRule, type Subject } from '@portcullis/contract/abilities'

type Gate = { action: Action; subject: Subject }
type Child = { title: string; paths: readonly string[]; gate?: Gate }

/** The console's screens and the right that each requires: the route table of specification §2 with the design's additions. */
export const children: readonly Child[] = [
  { title: 'Dashboard', paths: ['dashboard'], gate: view('Dashboards') },
  { title: 'Sites', paths: ['sites', 'sites/list'], gate: view('Sites') },
  { title: 'Map of sites', paths: ['sites/map'], gate: view('Sites') },
  { title: 'Site groups', paths: ['sites/groups'], gate: view('Sites') },
  { title: 'Door groups', paths: ['sites/doorGroups'], gate: view('Sites') },
  { title: 'Interlocks', paths: ['sites/interlocks'], gate: view('Sites') },
  { title: 'Controllers', paths: ['units', 'units/list'], gate: view('Controllers') },
  { title: 'Manage Access', paths: ['rules', 'rules/list'] },
  { title: 'Manage Schedules', paths: ['rules/schedules'] },
  { title: 'Adhoc Access', paths: ['rules/adhoc'] },
  { title: 'Lockdown plans', paths: ['rules/lockdownPlans'] },
  { title: 'Lockdowns', paths: ['rules/lockdowns'] },
  // No gate, because users without the right to another screen are redirected here.
  { title: 'Access Events', paths: ['events', 'events/list'] },
  { title: 'Incident Reports', paths: ['incidentReports', 'incidentReports/list'], gate: view('Incident Reports') },
  { title: 'Audit Log', paths: ['auditLogs', 'auditLogs/list'], gate: view('Audit Logs') },
  { title: 'Contacts', paths: ['contacts', 'contacts/list'], gate: view('Contacts') },
  { title: 'Users', paths: ['users', 'users/list'] },
  { title: 'User settings', paths: ['users/settings'] },
  { title: 'Accounts', paths: ['account', 'account/list'], gate: view('Accounts') },
  { title: 'Identity Providers', paths: ['tenant', 'tenant/list'], gate: view('Tenants') },
  { title: 'Recertify Users', paths: ['recertify', 'recertify/list'] },
  { title: 'Access requests', paths: ['tasks', 'tasks/list'], gate: view('RemoteAuth') },
]

/** One screen for each gate, and one without a gate. */
export const childOfEachGate: readonly Child[] = [
  ...new Map(children.map((child) => [child.gate?.subject, child])).values(),
]

/** The sidebar of specification §2: entries in order, each group's name before its entries. */
const sidebar: readonly { group?: string; label: string; gate: Gate }[] = [
  { label: 'Dashboard', gate: view('Dashboards') },
  { label: 'Sites', gate: view('Sites') },
  { label: 'Controllers', gate: view('Controllers') },
  { group: 'Access Control', label: 'Manage Access', gate: view('Access Control') },
  { group: 'Access Control', label: 'Manage Schedules', gate: view('Schedules') },
  { group: 'Access Control', label: 'Adhoc Access', gate: view('Access Control') },
  { group: 'Access Control', label: 'Lockdown Plans', gate: view('Access Control') },
  { label: 'Access Events', gate: view('Access Events') },
  { label: 'Incident Reports', gate: view('Incident Reports') },
  { label: 'Contacts', gate: view('Contacts') },
  { group: 'Users', label: 'List', gate: view('Users') },
  { group: 'Users', label: 'Password Reset / MFA', gate: view('Users') },
  { label: 'Accounts', gate: view('Accounts') },
  { label: 'Identity Providers', gate: view('Tenants') },
  { label: 'Recertify Users', gate: { action: 'recertify', subject: 'Users' } },
]

/** The sidebar's texts for a user, from top to bottom. */
export function sidebarFor(rules: readonly AbilityRule[]): string[] {
  const shown = sidebar.filter(({ gate }) => isAllowed(rules, gate))
  return shown.flatMap(({ group, label }, at) => [
    ...(group !== undefined && group !== shown[at - 1]?.group ? [group] : []),
    label,
  ])
}

/** The path and title that a user reaches from a path inside an account: Access Events, if they may not see the screen. */
export function landingFor(
  rules: readonly AbilityRule[],
  { path, title, gate }: Omit<Child, 'paths'> & { path: string },
) {
  const isOpen = !gate || isAllowed(rules, gate)
  if (isOpen && title !== 'Access Events') return { path, title }
  const seesEvents = isAllowed(rules, view('Access Events'))
  return { path: isOpen ? path : 'events/list', title: seesEvents ? 'Access Events' : 'No access' }
}

function view(subject: Subject): Gate {
  return { action: 'view', subject }
}
