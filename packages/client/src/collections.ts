/** Every collection of the product by its name, for programs that depend only on this package. */
export { collections } from '@portcullis/contract/collections/registry'
