/** Actions and subjects are those of the specification §6, roles and their rights those of the design §3. */
export const actions = ['view', 'manage', 'recertify'] as const
export type Action = (typeof actions)[number]

export const roles = ['admin', 'accountManager', 'installer', 'accessManager', 'reportingUser', 'appUser'] as const
export type Role = (typeof roles)[number]

export const subjects = [
  'Accounts',
  'Integrations',
  'Users',
  'Sites',
  'Access Events',
  'Audit Logs',
  'Incident Reports',
  'Access Control',
  'Schedules',
  'Controllers',
  'MFA',
  'RemoteAuth',
  'Contacts',
  'Dashboards',
  'Tenants',
  ...roles,
  'idleTime',
  'iButton',
] as const
export type Subject = (typeof subjects)[number]

/** `manage` means every action; the subject `all` stands for every subject. */
export type AbilityRule = { action: Action; subject: Subject | 'all' }

/** What a role may do in the account that it is held on and in all accounts below. */
export function rulesOfRole(role: Role): AbilityRule[] {
  const { manage, view, recertify } = grants[role]
  return [
    ...manage.map((subject) => ({ action: 'manage' as const, subject })),
    ...view.map((subject) => ({ action: 'view' as const, subject })),
    ...recertify.map((subject) => ({ action: 'recertify' as const, subject })),
  ]
}

/** Hyper users manage everything, everywhere. */
export const hyperRules: AbilityRule[] = [{ action: 'manage', subject: 'all' }]

/** Whether the rules allow the action; `manage` covers every other. */
export function isAllowed(rules: readonly AbilityRule[], { action, subject }: { action: Action; subject: Subject }) {
  return rules.some(
    (rule) =>
      (rule.subject === 'all' || rule.subject === subject) && (rule.action === 'manage' || rule.action === action),
  )
}

type Grants = Record<'manage' | 'view' | 'recertify', readonly Subject[]>

const grants: Record<Role, Grants> = {
  admin: { manage: subjects, view: [], recertify: ['Users'] },
  accountManager: {
    manage: [
      'Accounts',
      'Users',
      'MFA',
      'Contacts',
      'idleTime',
      'accountManager',
      'accessManager',
      'reportingUser',
      'appUser',
    ],
    view: ['Dashboards', 'Sites', 'Access Events', 'Audit Logs', 'Incident Reports', 'Tenants'],
    recertify: ['Users'],
  },
  installer: {
    manage: ['Sites', 'Controllers', 'iButton'],
    view: ['Access Control', 'Schedules', 'Access Events', 'Contacts', 'Dashboards'],
    recertify: [],
  },
  accessManager: {
    manage: [
      'Users',
      'Access Control',
      'Schedules',
      'RemoteAuth',
      'Contacts',
      'Incident Reports',
      'iButton',
      'appUser',
    ],
    view: ['Sites', 'Controllers', 'Access Events', 'Dashboards'],
    recertify: ['Users'],
  },
  reportingUser: {
    manage: [],
    view: ['Dashboards', 'Sites', 'Access Events', 'Audit Logs', 'Incident Reports', 'Contacts'],
    recertify: [],
  },
  appUser: { manage: [], view: [], recertify: [] },
}
