import { readFile } from 'node:fs/promises'
import { brands, defaultBrand } from '@portcullis/contract/brands'
import { describe, expect, test } from 'vitest'
import { brandedPage } from './branded-page.ts'

const page = await readFile(new URL('../../../console/index.html', import.meta.url), 'utf8')

describe('what is seen before the scripts run bears the brand', () => {
  test.each(Object.values(brands))('$key: title, name, icon and the colour of the browser', (brand) => {
    const html = brandedPage(page, brand)
    expect(html).toContain(`<title>${brand.product}</title>`)
    expect(html).toContain(`<meta name="brand" content="${brand.key}" />`)
    expect(html).toContain(`<meta name="application-name" content="${brand.product}" />`)
    expect(html).toContain(`href="/brands/${brand.key}/favicon.svg"`)
    expect(html).toContain(`content="${brand.light.accent}"`)
    expect(html.match(/<title>/g)).toHaveLength(1)
    expect(html).toContain('<div id="root"></div>')
  })

  test('the page as it is built says the default, and saying it again changes nothing', () => {
    expect(brandedPage(page, defaultBrand)).toBe(page)
  })

  test('a name is text and never markup', () => {
    const html = brandedPage(page, { ...defaultBrand, product: `Smith & "Sons" <b>$1</b>` })
    expect(html).toContain('<title>Smith &amp; &quot;Sons&quot; &lt;b&gt;$1&lt;/b&gt;</title>')
  })
})
