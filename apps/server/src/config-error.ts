/** A setting or the machine prevents startup; the message is one sentence with the cause and the remedy. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}
