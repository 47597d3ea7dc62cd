import { createAvatar } from '@dicebear/core'
import * as openPeeps from '@dicebear/open-peeps'
import { beardPercent, common, type Figure, grounds, type LookName, looks } from './looks.ts'

/** A made-up person: the same seed is always the same face. */
export type Portrait = { look: LookName; figure: Figure; seed: string }

/** A person who does not exist, as an SVG: head and shoulders. */
export function drawPortrait({ look, figure, seed }: Portrait): string {
  const { woman, man, ...either } = looks[look]
  const ofFigure = figure === 'woman' ? woman : { facialHairProbability: beardPercent, ...man }
  const options = { ...common, ...either, ...ofFigure, seed, size: 200, backgroundColor: grounds }
  return createAvatar(openPeeps, options).toString()
}
