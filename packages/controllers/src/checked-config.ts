import { unitConfig } from '@portcullis/contract/unit-protocol/unit-config'
import type { UnitConfig } from '@portcullis/domain/configuration/unit-config'

/**
 * A configuration from outside, or the path of its first fault. It keeps the fields that this unit does not know: they
 * belong to the text of which the server signs the hash. `changed` is the part to check, if the rest is as in a
 * configuration that was checked before.
 */
export function checkedConfig(content: unknown, changed: unknown = content): UnitConfig | { invalid: string } {
  const checked = unitConfig.safeParse(changed)
  if (checked.success && isConfig(content)) return content
  return { invalid: checked.error?.issues[0]?.path.join('.') ?? '' }
}

/** Of content that was checked. */
function isConfig(content: unknown): content is UnitConfig {
  return typeof content === 'object' && content !== null
}
