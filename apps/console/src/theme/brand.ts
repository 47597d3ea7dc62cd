import { brandOf, brandWithKey } from '@portcullis/contract/brands'

/** Under whose name this page is seen: the server has written it into the page, by the host. */
export const brand = brandWithKey(keyInPage()) ?? brandOf(globalThis.location?.host)

/** A page that was not served by the server, such as one of the development server, says the default. */
function keyInPage() {
  return globalThis.document?.querySelector<HTMLMetaElement>('meta[name="brand"]')?.content
}
