import { readFile } from 'node:fs/promises'
import type { Brand, BrandKey } from '@portcullis/contract/brands'

/** How the HTML of a mail names the logo that travels along: mail programs load nothing from elsewhere, and draw no SVG. */
export const logoId = 'logo'

const read = new Map<BrandKey, Promise<Buffer>>()

/** A brand's logo as a PNG, twice as large as it is shown. */
export function logoOf({ key }: Brand) {
  const logo = read.get(key) ?? readFile(new URL(`logos/${key}.png`, import.meta.url))
  read.set(key, logo)
  return logo
}
