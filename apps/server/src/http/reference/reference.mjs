// The zod inside Scalar compiles code at run time unless this is set, which the policy of the page refuses.
globalThis.__zod_globalConfig = { jitless: true }

// Small texts and the names of methods get enough contrast (WCAG 2.2, 1.4.3).
const customCss = `
  .light-mode {
    --scalar-color-3: #5c5c5c;
    --scalar-color-accent: #0b5cad;
    --scalar-color-green: #0a6b3d;
    --scalar-color-red: #b3261e;
    --scalar-color-yellow: #7a5a00;
    --scalar-color-orange: #9a4a00;
    --scalar-color-blue: #0b5cad;
    --scalar-color-purple: #6b3fa0;
  }
  .dark-mode {
    --scalar-color-3: #a8a8a8;
    --scalar-color-red: #ff7b72;
  }
  .sidebar-search-placeholder { color: var(--scalar-color-2); }
`

addEventListener('DOMContentLoaded', () => {
  globalThis.Scalar.createApiReference('#reference', {
    url: '/api/openapi.json',
    documentDownloadType: 'json',
    // Everything that would make a request to another server is off: fonts, telemetry, the proxy, the assistant.
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    persistAuth: false,
    customCss,
  })
})
