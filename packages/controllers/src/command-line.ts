import { parseArgs } from 'node:util'
import { z } from 'zod'

type CommandLine<S extends z.ZodType> = {
  usage: string
  /** The schema of each option: those that accept `true` have no value. Without `--help`, which every command has. */
  options: Readonly<Record<string, z.ZodType>>
  /** Of all values together; its errors are shown after the names of the options. */
  schema: S
  given?: readonly string[]
}

/** What a command line contains: its values, or the text to show and the exit code. */
export type ReadLine<T> = { values: T } | { text: string; exitCode: 0 | 2 }

/** Reads the options of a command. Invalid ones give one sentence and the usage, with the exit code 2. */
export function readCommandLine<S extends z.ZodType>({
  usage,
  options,
  schema,
  given = process.argv.slice(2),
}: CommandLine<S>): ReadLine<z.output<S>> {
  const wrong = (sentence: string) => ({ text: `${sentence}\n\n${usage}`, exitCode: 2 }) as const
  try {
    const named = Object.entries(options).map(([name, option]) => [name, { type: typeOf(option) }] as const)
    const { help, ...values } = parseArgs({
      args: [...given],
      options: { ...Object.fromEntries(named), help: { type: 'boolean' } },
    }).values
    if (help === true) return { text: usage, exitCode: 0 }
    const read = schema.safeParse(values)
    if (read.success) return { values: read.data }
    const [issue] = read.error.issues
    const option = issue?.path.join('.')
    return wrong(option ? `--${option} ${issue?.message}` : (issue?.message ?? 'The options are invalid.'))
  } catch (error) {
    if (error instanceof TypeError) return wrong(sentenceOf(error.message))
    throw error
  }
}

function typeOf(option: z.ZodType) {
  return option.safeParse(true).success ? 'boolean' : 'string'
}

/** Of a message of `parseArgs`, which goes on with how to write arguments that begin with a dash. */
function sentenceOf(message: string) {
  const [, option] = /^Option '(?:-\w, )?(--[\w-]+).*' argument (?:missing|is ambiguous)/.exec(message) ?? []
  return option ? `${option} needs a value.` : `${message.split(/\.\s|\.?$/)[0]}.`
}

/** The values of the command line; without them, prints the text and ends the process. */
export function valuesOrExit<T>(read: ReadLine<T>): T {
  if ('values' in read) return read.values
  const stream = read.exitCode === 0 ? process.stdout : process.stderr
  stream.write(`${read.text}\n`)
  process.exit(read.exitCode)
}

/** A whole number in the text of an option. */
export function wholeNumber({ min, max = Number.MAX_SAFE_INTEGER }: { min: number; max?: number }) {
  const error =
    max === Number.MAX_SAFE_INTEGER
      ? `must be a whole number from ${min}.`
      : `must be a whole number from ${min} to ${max}.`
  return z
    .string()
    .regex(/^\d{1,15}$/, error)
    .transform(Number)
    .refine((value) => value >= min && value <= max, error)
}
