import { readdir, readFile } from 'node:fs/promises'
import { type Brand, type BrandColours, brandOf } from '@portcullis/contract/brands'
import { type Language, languageCodes, languages, supportedLanguage } from '@portcullis/contract/languages'
import type { FastifyInstance } from 'fastify'
import { differsByHost } from '../http/differs-by-host.ts'
import { policies, type PolicyName } from './policies.ts'
import { policyWords } from './policy-words.ts'
import { escapeHtml } from '../brands/escape-html.ts'
import { contact } from './contact.ts'

const style = await readFile(new URL('./policy.css', import.meta.url), 'utf8')
const texts = new Map<string, string>()
for (const language of languageCodes) {
  for (const name of Object.keys(policies)) {
    const path = `${language}/${name}`
    texts.set(path, await readFile(new URL(`./${path}.html`, import.meta.url), 'utf8'))
  }
}

/**
 * The legal pages at `/assets/policy/{name}` (specification §1 and §2), public, under the brand of the host. The language
 * is that of `?lang=es`, otherwise the first of the browser's languages that the product has, otherwise English.
 */
export function servePolicies(app: FastifyInstance) {
  app.get<{ Params: { name: string }; Querystring: { lang?: string | string[] } }>(
    '/assets/policy/:name',
    async (request, reply) => {
      const { name } = request.params
      if (!isPolicy(name)) return reply.callNotFound()
      const { headers, query } = request
      const requested = typeof query.lang === 'string' ? [query.lang] : []
      const language = supportedLanguage([...requested, ...acceptedLanguages(headers['accept-language'])]) ?? 'en'
      return differsByHost(reply)
        .header('vary', 'Host, Accept-Language')
        .header('content-language', language)
        .type('text/html; charset=utf-8')
        .send(policyPage({ name, language, brand: brandOf(headers.host), font: await consoleFont() }))
    },
  )
}

/** More than browsers send. */
const maxLanguages = 20

/** The languages of an `Accept-Language` header, the preferred one first. */
function acceptedLanguages(header = '') {
  return header
    .split(',', maxLanguages)
    .map((range) => {
      const [tag = '', quality = 'q=1'] = range.split(';').map((part) => part.trim())
      return { tag, quality: Number(quality.replace(/^q=/i, '')) }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag)
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

type PolicyPageInput = { name: PolicyName; language: Language; brand: Brand; font: string | undefined }

/**
 * A legal text as a separate page under a brand, readable without scripts or signing in, and printable. `font` is the
 * URL of the console's font; without it the device's own font is used.
 */
function policyPage({ name, language, brand, font }: PolicyPageInput): string {
  const product = escapeHtml(brand.product)
  const { updated } = policies[name]
  const words = policyWords[language]
  const title = words.titles[name]
  const date = `<time datetime="${updated}">${longDate(updated, words.locale)}</time>`
  const text = texts.get(`${language}/${name}`) ?? ''
  return `<!doctype html>
<html lang="${language}">
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
<a class="skip" href="#text">${words.skip}</a>
<header><div class="bar"><a class="logo" href="/">${logoOf(brand)}</a><div class="ways">${otherLanguages(name, language)}<a class="back" href="/">${words.back.replace('{{product}}', () => product)}</a></div></div></header>
<div class="page">
<nav aria-label="${words.policies}"><ul>${linksFrom(name, language)}</ul></nav>
<main id="text">
<h1>${title}</h1>
<p class="updated">${words.updated.replace('{{date}}', date)}</p>
${text.replaceAll('{{product}}', () => product).replaceAll('{{lang}}', language)}
<footer>${words.question} <a href="${escapeHtml(contact)}">${words.contact}</a>.</footer>
</main>
</div>
</body>
</html>
`
}

function linksFrom(current: PolicyName, language: Language) {
  return Object.entries(policyWords[language].titles)
    .map(([name, title]) => {
      const mark = name === current ? ' aria-current="page"' : ''
      return `<li><a href="/assets/policy/${name}?lang=${language}"${mark}>${title}</a></li>`
    })
    .join('')
}

/** A link to this page in each other language, under the language's own name. */
function otherLanguages(name: PolicyName, current: Language) {
  return languageCodes
    .filter((code) => code !== current)
    .map((code) => {
      const href = `/assets/policy/${name}?lang=${code}`
      return `<a class="back" href="${href}" lang="${code}" hreflang="${code}">${languages[code]}</a>`
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

function longDate(day: string, locale: string) {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' })
}
