import type { Brand } from '@portcullis/contract/brands'
import { escapeHtml } from './escape-html.ts'

/** Applies a brand to the console's page: replaces the part between its two brand comments, used before scripts run. */
export function brandedPage(page: string, brand: Brand): string {
  return page.replace(/(<!-- brand -->).*?(\s*<!-- \/brand -->)/s, (_all, begin: string, end: string) => {
    return `${begin}\n${headOf(brand)}${end}`
  })
}

function headOf({ key, product, light, dark }: Brand) {
  const name = escapeHtml(product)
  return [
    `<meta name="brand" content="${key}" />`,
    `<meta name="application-name" content="${name}" />`,
    `<meta name="theme-color" media="(prefers-color-scheme: light)" content="${light.accent}" />`,
    `<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${dark['accent-ground']}" />`,
    `<link rel="icon" href="/brands/${key}/favicon.svg" type="image/svg+xml" />`,
    `<title>${name}</title>`,
  ]
    .map((line) => `    ${line}`)
    .join('\n')
}
