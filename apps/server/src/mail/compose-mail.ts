import type { Brand } from '@portcullis/contract/brands'
import type { Language } from '@portcullis/contract/languages'
import { escapeHtml } from '../brands/escape-html.ts'
import { logoId } from './logo-of.ts'
import { linkUrl } from './mail-brand.ts'
import type { MailContent } from './mail-content.ts'
import { messageOf } from './message-of.ts'

type ComposeMailInput = {
  brand: Brand
  /** The server's public URL; never taken from a request's Host header. */
  url: string
  to: { person: string; name: string; email: string; language: Language }
  content: MailContent
}

/** Composes an email as text and as HTML with the same content. */
export function composeMail({ brand, url, to, content }: ComposeMailInput) {
  const { product } = brand
  const { subject, sentences, link, afterwards } = messageOf({ product, to, content })
  const opening = sentences.map(inOneLine)
  const href = link === undefined ? undefined : `${linkUrl(url, brand)}${link.path}`
  const text = [...opening, ...(href === undefined ? [] : [href]), ...afterwards, product].join('\n\n')
  const button = href === undefined ? '' : buttonTo({ href, label: link?.label ?? '', brand })
  return {
    subject,
    text: `${text}\n`,
    html: page({
      brand,
      language: to.language,
      subject,
      body: [...opening.map(paragraph), button, ...afterwards.map(paragraph)].join('\n'),
    }),
  }
}

/** Line breaks in a name would otherwise start new paragraphs. */
function inOneLine(sentence: string) {
  return sentence.replace(/\s+/g, ' ')
}

const font = 'font-family:Inter,Segoe UI,Helvetica,Arial,sans-serif'

type PageInput = { brand: Brand; language: Language; subject: string; body: string }

function page({ brand, language, subject, body }: PageInput) {
  const product = escapeHtml(brand.product)
  return `<!doctype html>
<html lang="${language}">
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

/** The URL also appears below the button, for mail programs without links and users who check it first. */
function buttonTo({ href, label, brand: { light } }: { href: string; label: string; brand: Brand }) {
  const link = escapeHtml(href)
  const style = `display:inline-block;padding:12px 20px;background:${light.accent};color:${light['on-accent']};text-decoration:none;font-weight:600`
  return `<p style="margin:0 0 16px"><a href="${link}" style="${style}">${escapeHtml(label)}</a></p>
<p style="margin:0 0 16px;font-size:13px;line-height:20px;color:#535a6b;overflow-wrap:anywhere">${link}</p>`
}
