import { readdir, readFile } from 'node:fs/promises'
import { type Brand, type BrandColours, brandOf } from '@portcullis/contract/brands'
import type { FastifyInstance } from 'fastify'
import { differsByHost } from '../http/differs-by-host.ts'
import { policies, type PolicyName } from './policies.ts'
import { escapeHtml } from '../brands/escape-html.ts'
import { contact } from './contact.ts'

const style = await readFile(new URL('./policy.css', import.meta.url), 'utf8')
const texts: Record<PolicyName, string> = {
  eula: await textOf('eula'),
  privacy: await textOf('privacy'),
  terms: await textOf('terms'),
  disclaimer: await textOf('disclaimer'),
}

/** The legal pages at `/assets/policy/{name}` (specification §1 and §2), public, under the brand of the host. */
export function servePolicies(app: FastifyInstance) {
  app.get<{ Params: { name: string } }>('/assets/policy/:name', async (request, reply) => {
    const { name } = request.params
    if (!isPolicy(name)) return reply.callNotFound()
    return differsByHost(reply)
      .type('text/html; charset=utf-8')
      .send(policyPage({ name, brand: brandOf(request.headers.host), font: await consoleFont() }))
  })
}

function isPolicy(name: string): name is PolicyName {
  return Object.hasOwn(policies, name)
}

const assets = new URL('../../../console/dist/assets/', import.meta.url)

/** The URL of the console's font, which changes with each build; undefined if the console is not built. */
async function consoleFont(): Promise<string | undefined> {
  const names = await readdir(assets).catch(() => [])
  const name = names.find((each) => /^inter-latin-wght-normal-[\w-]+\.woff2$/.test(each))
  return name === undefined ? undefined : `/assets/${name}`
}

type PolicyPageInput = { name: PolicyName; brand: Brand; font: string | undefined }

/**
 * A legal text as a separate page under a brand, readable without scripts or signing in, and printable. `font` is the
 * URL of the console's font; without it the device's own font is used.
 */
function policyPage({ name, brand, font }: PolicyPageInput): string {
  const product = escapeHtml(brand.product)
  const { title, updated } = policies[name]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="${brand.light.accent}">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${brand.dark['accent-ground']}">
<link rel="icon" href="/brands/${brand.key}/favicon.svg" type="image/svg+xml">
<title>${title} - ${product}</title>
<style>
${font === undefined ? '' : fontFace(font)}
${style}
${coloursOf(brand)}
</style>
</head>
<body>
<a class="skip" href="#text">Skip to content</a>
<header><div class="bar"><a class="logo" href="/">${logoOf(brand)}</a><a class="back" href="/">Back to ${product}</a></div></header>
<div class="page">
<nav aria-label="Policies"><ul>${linksFrom(name)}</ul></nav>
<main id="text">
<h1>${title}</h1>
<p class="updated">Last updated <time datetime="${updated}">${longDate(updated)}</time></p>
${texts[name].replaceAll('{{product}}', () => product)}
<footer>Questions about this page? <a href="${escapeHtml(contact)}">Contact us</a>.</footer>
</main>
</div>
</body>
</html>
`
}

function linksFrom(current: PolicyName) {
  return Object.entries(policies)
    .map(([name, { title }]) => {
      const mark = name === current ? ' aria-current="page"' : ''
      return `<li><a href="/assets/policy/${name}"${mark}>${title}</a></li>`
    })
    .join('')
}

function logoOf({ key, product, logos }: Brand) {
  const folder = `/brands/${key}`
  const light = `<source srcset="${folder}/logo-light.svg" media="screen and (prefers-color-scheme: dark)">`
  return `<picture>${logos === 'light' ? light : ''}<img src="${folder}/logo.svg" alt="${escapeHtml(product)}" height="28"></picture>`
}

function fontFace(address: string) {
  return `@font-face{font-family:"Inter Variable";font-weight:100 900;font-display:swap;src:url("${address}") format("woff2-variations")}`
}

function coloursOf({ light, dark }: Brand) {
  return `:root{${declared(light)}}@media screen and (prefers-color-scheme: dark){:root{${declared(dark)}}}`
}

function declared(colours: BrandColours) {
  return Object.entries(colours)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(';')
}

function longDate(day: string) {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })
}

function textOf(name: PolicyName) {
  return readFile(new URL(`./${name}.html`, import.meta.url), 'utf8')
}
