import type { EntityOf } from '@portcullis/contract/collection'
import type { tasks } from '@portcullis/contract/collections/tasks'

/** A user's request for access. */
export type Request = EntityOf<typeof tasks>
