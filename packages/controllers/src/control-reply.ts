import type { ServerResponse } from 'node:http'

/** An answer of the control server. */
export type Reply = { status: number; type: string; text: string }

export function json(body: unknown, status = 200): Reply {
  return { status, type: 'application/json', text: JSON.stringify(body) }
}

/** `error`: a sentence with the reason, and if possible the remedy. */
export function refusal(status: number, error: string): Reply {
  return json({ error }, status)
}

/** Only pages of this server may show, load or run what it answers. */
const headers = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

export function sendReply(response: ServerResponse, { status, type, text }: Reply) {
  response.writeHead(status, { ...headers, 'content-type': type }).end(text)
}
