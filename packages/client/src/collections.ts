/** Every collection of the product by its name, for programs that have this package alone. */
export { collections } from '@portcullis/contract/collections/registry'
