import type { Brand } from '@portcullis/contract/brands'
import { escapeHtml } from '../brands/escape-html.ts'
import { logoId } from './logo-of.ts'
import { linkUrl } from './mail-brand.ts'
import type { MailContent } from './mail-content.ts'
import { messageOf } from './message-of.ts'

type Told = {
  brand: Brand
  /** Where the server is found: never what a request said of its host. */
  url: string
  to: { person: string; name: string; email: string }
  content: MailContent
}

/** A mail as text and as HTML, both of the same words. */
export function composeMail({ brand, url, to, content }: Told) {
  const { person, name, email } = to
  const { product } = brand
  const { subject, sentences, link, afterwards } = messageOf({ product, person, email, content })
  const before = [`Hello ${name},`, ...sentences].map(inOneLine)
  const href = link === undefined ? undefined : `${linkUrl(url, brand)}${link.path}`
  const text = [...before, ...(href === undefined ? [] : [href]), ...afterwards, product].join('\n\n')
  const button = href === undefined ? '' : buttonTo({ href, label: link?.label ?? '', brand })
  return {
    subject,
    text: `${text}\n`,
    html: page({
      brand,
      subject,
      body: [...before.map(paragraph), button, ...afterwards.map(paragraph)].join('\n'),
    }),
  }
}

/** A name is not to write paragraphs of its own. */
function inOneLine(sentence: string) {
  return sentence.replace(/\s+/g, ' ')
}

const font = 'font-family:Inter,Segoe UI,Helvetica,Arial,sans-serif'

function page({ brand, subject, body }: { brand: Brand; subject: string; body: string }) {
  const product = escapeHtml(brand.product)
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:#f3f4f7;color:#1b1f2a;${font};font-size:16px;line-height:24px">
<div style="max-width:560px;margin:0 auto;padding:24px 32px;background:#ffffff;border-top:4px solid ${brand.light.accent}">
<p style="margin:0 0 24px;font-size:18px;font-weight:600"><img src="cid:${logoId}" alt="${product}" height="32" style="display:block;height:32px;border:0"></p>
${body}
</div>
</body>
</html>
`
}

function paragraph(sentence: string) {
  return `<p style="margin:0 0 16px;overflow-wrap:anywhere">${escapeHtml(sentence)}</p>`
}

/** The address stands below the button too, for programs that show no links and people who look first. */
function buttonTo({ href, label, brand: { light } }: { href: string; label: string; brand: Brand }) {
  const link = escapeHtml(href)
  const look = `display:inline-block;padding:12px 20px;background:${light.accent};color:${light['on-accent']};text-decoration:none;font-weight:600`
  return `<p style="margin:0 0 16px"><a href="${link}" style="${look}">${escapeHtml(label)}</a></p>
<p style="margin:0 0 16px;font-size:13px;line-height:20px;color:#535a6b;overflow-wrap:anywhere">${link}</p>`
}
