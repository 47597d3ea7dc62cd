import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Slow files first, so that short ones fill the end. Components are short and never wait, unlike scripts and packages. */
const projects = ['matrix', 'server', 'scripts', 'packages', 'components', 'console']

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
  'scaffold.test.ts',
  'simulation.test.ts',
  'kill-test.test.ts',
  'bench.test.ts',
  'conform-unit.test.ts',
  'virtual-units-process.test.ts',
  'conform-server.test.ts',
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
