import type { Window } from '@portcullis/domain/policy'

/** The hours of a week in one line: `Mon-Fri 06:00-18:00; Sat 08:00-12:00`. */
export function hoursText(windows: readonly Window[]) {
  return windows.map(({ days, start, end }) => `${daysText(days)} ${start}-${end}`).join('; ')
}

const names = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** Three days or more that follow one another are told by the first and the last. */
function daysText(days: readonly number[]) {
  const runs: number[][] = []
  for (const day of [...new Set(days)].sort((a, b) => a - b)) {
    const run = runs.at(-1)
    if (run?.at(-1) === day - 1) run.push(day)
    else runs.push([day])
  }
  return runs
    .map((run) => (run.length > 2 ? `${nameOf(run[0])}-${nameOf(run.at(-1))}` : run.map(nameOf).join(' ')))
    .join(' ')
}

function nameOf(day: number | undefined) {
  return names[(day ?? 1) - 1] ?? ''
}
