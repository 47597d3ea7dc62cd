import type { EntityOf } from '@portcullis/contract/collection'
import type { tasks } from '@portcullis/contract/collections/tasks'

/** Somebody's request to be let in. */
export type Request = EntityOf<typeof tasks>
