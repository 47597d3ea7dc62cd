import { readFile } from 'node:fs/promises'
import type { Brand, BrandKey } from '@portcullis/contract/brands'

/** The content ID of the attached logo: mail programs block remote images and do not draw SVG. */
export const logoId = 'logo'

const logos = new Map<BrandKey, Promise<Buffer>>()

/** A brand's logo as a PNG, at twice the size in which it is shown. */
export function logoOf({ key }: Brand) {
  const logo = logos.get(key) ?? readFile(new URL(`logos/${key}.png`, import.meta.url))
  logos.set(key, logo)
  return logo
}
