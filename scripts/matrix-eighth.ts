import { execFileSync } from 'node:child_process'

const eighths = 8
const dayMs = 86_400_000

type Source = {
  /** The number of commits up to the current one, each merge counted once; undefined without a history. */
  commits: number | undefined
  now: Date
}

/**
 * The eighth of the permission matrix that a test run tries, from 0 to 7: the next with each commit, or with each day in a
 * copy without history.
 */
export function matrixEighth({ commits, now }: Source): number {
  return (commits ?? Math.floor(now.getTime() / dayMs)) % eighths
}

export function countCommits(folder: string): number | undefined {
  try {
    if (git(['rev-parse', '--is-shallow-repository'], folder) !== 'false') return undefined
    return Number(git(['rev-list', '--count', '--first-parent', 'HEAD'], folder))
  } catch {
    return undefined
  }
}

function git(words: string[], cwd: string): string {
  return execFileSync('git', words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
}
