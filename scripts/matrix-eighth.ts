import { execFileSync } from 'node:child_process'

const eighths = 8
const dayMs = 86_400_000

type Source = {
  /** How many commits lead to the one that is checked out, a merge counted once; undefined where that is not known. */
  commits: number | undefined
  now: Date
}

/**
 * Which eighth of the permission matrix a run of the tests tries, from 0 to 7: the next one with each commit, or with each day in
 * a copy without its history.
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
