/** A workspace, and which of our packages it may import: design and decision 0002. */
export type Workspace = {
  folder: string
  mayImport: string[]
  /** Packages that only its tests may import besides. */
  testsMayImport?: string[]
  /** It runs in browsers too: nothing of Node's. */
  isForBrowsers?: true
  /** Folders in `src` that entity folders may import; every folder that is not named here is an entity's. */
  genericFolders?: string[]
  /** Folders that put things together: they may import everything, and only tests and their like import them. */
  composingFolders?: string[]
}

export const workspaces: Record<string, Workspace> = {
  domain: { folder: 'packages/domain', mayImport: [], isForBrowsers: true },
  contract: { folder: 'packages/contract', mayImport: ['domain'], isForBrowsers: true },
  controllers: { folder: 'packages/controllers', mayImport: ['domain', 'contract'] },
  client: { folder: 'packages/client', mayImport: ['contract'], isForBrowsers: true },
  console: {
    folder: 'apps/console',
    mayImport: ['client', 'contract', 'domain'],
    isForBrowsers: true,
    genericFolders: [
      'account-tree',
      'acting',
      'commands',
      'cookies',
      'form',
      'item',
      'list',
      'live',
      'mfa',
      'navigation',
      'session',
      'sign-in',
      'text',
      'theme',
      'time',
      'ui',
      'why',
    ],
    composingFolders: ['routes', 'shell'],
  },
  server: {
    folder: 'apps/server',
    mayImport: ['contract', 'domain', 'controllers'],
    testsMayImport: ['client'],
    genericFolders: [
      'abilities',
      'assumptions',
      'brands',
      'changes',
      'collections',
      'commands',
      'database',
      'errors',
      'exports',
      'history',
      'http',
      'ingest',
      'input',
      'mail',
      'mfa',
      'own-account',
      'passwords',
      'policy',
      'query',
      'read-models',
      'rooms',
      'sessions',
    ],
    composingFolders: ['gateway', 'jobs'],
  },
  demonstration: { folder: 'apps/demonstration', mayImport: ['contract', 'domain', 'controllers', 'server'] },
}
