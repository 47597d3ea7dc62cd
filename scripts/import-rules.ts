/** A workspace, and which of our packages it may import: design and decision 0002. */
export type Workspace = {
  folder: string
  mayImport: string[]
  /** Packages that only its tests may also import. */
  testsMayImport?: string[]
  /** Set for code that also runs in browsers and so imports no module of Node. */
  isForBrowsers?: true
  /** Folders in `src` that entity folders may import. Every folder that is in neither list is an entity's. */
  genericFolders?: string[]
  /** Folders that put things together: they may import all folders, and only tests and other composing files import them. */
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
      // Folders that are independent of collections.
      'text',
      'theme',
      'time',
      'ui',
      // The signed-in user, the real-time channel, and what the browser may store.
      'cookies',
      'live',
      'session',
      // Typed by collection: items, forms, lists, and links between screens.
      'form',
      'item',
      'list',
      'navigation',
      // Dialogs of the sign-in pages that the settings also open.
      'mfa',
      'sign-in',
      // Used by two or three entities each: the tree of accounts, the unlocking of a door, cards without a user, the users and
      // places that a form selects, the explanation of a decision.
      'account-tree',
      'cards',
      'commands',
      'subjects',
      'why',
    ],
    composingFolders: ['routes', 'shell'],
  },
  server: {
    folder: 'apps/server',
    mayImport: ['contract', 'domain', 'controllers'],
    testsMayImport: ['client'],
    genericFolders: [
      // Errors, parsed input, limits, the database, its changes and its audit log.
      'changes',
      'database',
      'errors',
      'history',
      'input',
      'limits',
      // The engine of all collections: rights, queries, verbs and exports.
      'abilities',
      'collections',
      'exports',
      'query',
      // Sessions, and the proofs that signing in and changing a credential share.
      'mfa',
      'passwords',
      'sessions',
      // The web server, emails, and the brand on pages and emails.
      'brands',
      'http',
      'mail',
      // Encrypted credential numbers, which the policy decrypts.
      'numbers',
      // Uploaded pictures of accounts and floors.
      'pictures',
      // Controllers: `units` and `desired` write events, `units` sends commands and compares stored configurations,
      // `explorer` and `ingest` read the policy.
      'commands',
      'desired',
      'ingest',
      'policy',
      // Moves to another account, of `units` and `sites`.
      'moves',
      // Tries changes for `collections` before they are saved.
      'preview',
    ],
    composingFolders: ['gateway', 'jobs'],
  },
  demonstration: { folder: 'apps/demonstration', mayImport: ['contract', 'domain', 'controllers', 'server'] },
}
