import { readFile } from 'node:fs/promises'
import { brands, defaultBrand } from '@portcullis/contract/brands'
import { describe, expect, test } from 'vitest'
import { brandedPage } from './branded-page.ts'

const page = await readFile(new URL('../../../console/index.html', import.meta.url), 'utf8')

describe('the page has the brand before scripts run', () => {
  test.each(Object.values(brands))('$key: title, name, icon and browser theme colour', (brand) => {
    const html = brandedPage(page, brand)
    expect(html).toContain(`<title>${brand.product}</title>`)
    expect(html).toContain(`<meta name="brand" content="${brand.key}" />`)
    expect(html).toContain(`<meta name="application-name" content="${brand.product}" />`)
    expect(html).toContain(`href="/brands/${brand.key}/favicon.svg"`)
    expect(html).toContain(`content="${brand.light.accent}"`)
    expect(html.match(/<title>/g)).toHaveLength(1)
    expect(html).toContain('<div id="root"></div>')
  })

  test('the built page has the default brand, and applying it again changes nothing', () => {
    expect(brandedPage(page, defaultBrand)).toBe(page)
  })

  test('a product name is escaped', () => {
    const html = brandedPage(page, { ...defaultBrand, product: `Smith & "Sons" <b>$1</b>` })
    expect(html).toContain('<title>Smith &amp; &quot;Sons&quot; &lt;b&gt;$1&lt;/b&gt;</title>')
  })
})
