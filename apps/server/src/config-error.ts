/** A setting or the machine stands in the way of the start; the message is one sentence that says which and the way out. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}
