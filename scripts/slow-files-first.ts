import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Runs slow files first, so that short files fill the end, when workers become idle. */
const projects = ['matrix', 'server', 'components', 'scripts', 'packages', 'console']

/** They take longest, and a fresh clone has no durations of earlier runs yet. */
const slowFiles = [
  'matrix.test.ts',
  'row-security.test.ts',
  'socket-matrix.test.ts',
  'demonstration.test.ts',
  'start-embedded.test.ts',
  'role-permissions.test.ts',
  'rights-notice.test.ts',
  'gateway.test.ts',
  'admission.test.ts',
  'stop-on-signal.test.ts',
  'resume.test.ts',
  'sign-in-throttle.test.ts',
  'decided-once.test.ts',
  'simulation.test.ts',
  'kill-test.test.ts',
  'bench.test.ts',
]

/** Orders the files so that no slow file starts last, while other workers are idle. */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => projectRank(a) - projectRank(b) || fileRank(a) - fileRank(b))
  }
}

function projectRank({ project }: TestSpecification) {
  const rank = projects.indexOf(project.name)
  return rank === -1 ? projects.length : rank
}

function fileRank({ moduleId }: TestSpecification) {
  const rank = slowFiles.findIndex((name) => moduleId.endsWith(`/${name}`))
  return rank === -1 ? slowFiles.length : rank
}
