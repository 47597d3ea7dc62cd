import { brandOf, brandWithKey } from '@portcullis/contract/brands'

/** The brand of this page: the one that the server wrote into the page; without it, the one of the host. */
export const brand = brandWithKey(keyInPage()) ?? brandOf(globalThis.location?.host)

/** Undefined on a page that the server did not write, such as one of the development server. */
function keyInPage() {
  return globalThis.document?.querySelector<HTMLMetaElement>('meta[name="brand"]')?.content
}
