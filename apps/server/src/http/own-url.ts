import type { AddressInfo } from 'node:net'

type OwnUrlInput = { publicUrl: string | undefined; address: AddressInfo | string | null }

/** The server's URL: PUBLIC_URL, or the address on which it listens. Never the Host header, because any client can forge it. */
export function ownUrl({ publicUrl, address }: OwnUrlInput) {
  if (publicUrl !== undefined) return publicUrl
  if (typeof address !== 'object' || address === null) return 'http://localhost'
  const isEverywhere = address.address === '0.0.0.0' || address.address === '::'
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${isEverywhere ? 'localhost' : host}:${address.port}`
}
