import { unitsPath } from '@portcullis/contract/unit-protocol/frames'

/** Whether an address may be used without TLS. */
export type EncryptionPolicy = { allowUnencrypted?: boolean | undefined }

/** How the user of the caller allows it, for the message. */
type WayToAllow = { toAllow?: string }

/**
 * Refuses a gateway beyond this machine without TLS: enrolment codes, card numbers and acknowledgements could be read and
 * changed on the way. Callers other than command lines pass their own way `toAllow` it.
 *
 * @throws {UnencryptedAddress} with what to do about it.
 */
export function checkAddress(
  url: string,
  { allowUnencrypted, toAllow = '--allow-unencrypted' }: EncryptionPolicy & WayToAllow,
) {
  const { protocol, hostname } = new URL(url)
  const isEncrypted = protocol === 'wss:' || protocol === 'https:'
  if (!isEncrypted && !allowUnencrypted && !isLoopback(hostname)) throw new UnencryptedAddress(url, toAllow)
}

/** The address of the gateway at the address of a server, such as `wss://host/base/units` for `https://host/base`. */
export function gatewayAddress(server: string) {
  const url = new URL(server)
  url.protocol = url.protocol.replace('http', 'ws')
  const base = url.pathname.replace(/\/+$/, '')
  url.pathname = base.endsWith(unitsPath) ? base : `${base}${unitsPath}`
  return url.href
}

/** `URL` writes every form of an IPv4 address as four decimal numbers. */
function isLoopback(hostname: string) {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

export class UnencryptedAddress extends Error {
  override name = 'UnencryptedAddress'

  constructor(url: string, toAllow: string) {
    super(
      `The connection to ${url} would not be encrypted: use an https:// (or wss://) address of the server, or allow it with ${toAllow} in a network that only you use.`,
    )
  }
}
