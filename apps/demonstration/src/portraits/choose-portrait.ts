import type { Random } from '../random.ts'
import { clothesColours, coverColours, grounds } from './colours.ts'
import { covers, hardHat } from './covers.ts'
import { hairs } from './hair.ts'
import { makePortrait, type Portrait, type PortraitPart, portraitChoices } from './portrait.ts'

/** What is known of somebody before they are drawn. */
export type Sitter = {
  figure: 'woman' | 'man'
  /** The lightest and the darkest skin that people of their name are drawn with here. */
  skin: readonly [number, number]
  /** Choices of hair colour, before it turns grey. */
  hairColours: readonly number[]
  /** Whether their hair is drawn with curls. */
  hair: 'straight' | 'curly' | 'any'
  /** Covers that some of them wear, and how many of them do. */
  covers?: readonly { name: string; of: 'woman' | 'man'; share: number }[]
  /** What the work asks for. */
  clothes: 'office' | 'outdoors' | 'laboratory' | 'any'
}

/** Makes up a face that goes with a person; the same chance gives the same face. */
export function choosePortrait(sitter: Sitter, random: Random): Portrait {
  const { figure, skin } = sitter
  const any = (part: PortraitPart) => random.between(0, portraitChoices[part] - 1)
  const age = random.pick([0, 0, 0, 0, 0, 1, 1, 2]) ?? 0
  const worn = sitter.covers?.find(({ of, share }) => of === figure && random.chance(share))
  const isHelmeted = worn === undefined && sitter.clothes === 'outdoors' && random.chance(0.09)
  const cover = worn ? numberOf(covers, worn.name) : 0
  const isWoman = figure === 'woman'
  const tone = random.between(skin[0], skin[1])
  const chosen: Partial<Record<PortraitPart, number>> = {
    ground: random.between(0, grounds.length - 1),
    skin: tone,
    eyes: random.pick(tone > 3 ? [0, 0, 1, 3] : [0, 1, 2, 3]) ?? 0,
    hair: numberOf(hairs, random.pick(hairNames(sitter, age))),
    hairColour: hairColourOf(sitter, age, random),
    mouth: random.pick(isWoman ? [0, 0, 1, 1, 2, 2, 4] : [0, 0, 0, 1, 3, 4]) ?? 0,
    brows: isWoman ? (random.pick([0, 0, 2]) ?? 0) : any('brows'),
    beard: isWoman ? 0 : (random.pick(beardsOf(sitter)) ?? 0),
    glasses: random.chance(age === 0 ? 0.16 : 0.4) ? random.between(1, 4) : 0,
    cover: isHelmeted ? hardHat : cover,
    coverColour: random.between(0, coverColours.length - 1),
    clothes: random.pick(clothesFor[sitter.clothes]) ?? 0,
    clothesColour: random.between(0, clothesColours.length - 1),
    age,
    earrings: isWoman && random.chance(0.45) ? random.between(1, 2) : 0,
  }
  return makePortrait((part) => chosen[part] ?? any(part))
}

function hairNames({ figure, hair }: Sitter, age: number): readonly string[] {
  const lengths = figure === 'woman' ? womensHair : mensHair
  const names = hair === 'any' ? [...lengths.straight, ...lengths.curly] : lengths[hair]
  return figure === 'man' && age > 0 ? [...names, 'receding', 'receding', 'none'] : names
}

const womensHair = {
  straight: ['bob', 'long, straight', 'long, wavy', 'fringe', 'bun', 'ponytail', 'pixie', 'side parting'],
  curly: ['curls, round', 'curls, round', 'braids', 'braids', 'locks', 'bun', 'curls, short', 'cornrows'],
} as const

const mensHair = {
  straight: ['short', 'short', 'side parting', 'swept up', 'stubble', 'none'],
  curly: ['stubble', 'stubble', 'cornrows', 'curls, short', 'high top', 'short', 'locks', 'none'],
} as const

const grey = { light: 8, white: 9 } as const

function hairColourOf({ hairColours }: Sitter, age: number, random: Random) {
  const isGrey = random.chance([0, 0.3, 0.85][age] ?? 0)
  return isGrey ? random.between(grey.light, grey.white) : (random.pick(hairColours) ?? 0)
}

function beardsOf({ covers: worn }: Sitter): readonly number[] {
  const usual = [0, 0, 0, 0, 1, 1, 2, 3, 4, 6]
  return worn?.some(({ name }) => name === 'turban') ? [4, 5, 5, 6] : usual
}

const clothesFor = {
  office: [1, 1, 2, 2, 5, 6, 7],
  outdoors: [3, 3, 3, 0, 0, 1],
  laboratory: [4, 4, 4, 1, 5],
  any: [0, 0, 1, 5, 6],
} as const

function numberOf(kinds: readonly { name: string }[], name: string | undefined) {
  return Math.max(
    0,
    kinds.findIndex((kind) => kind.name === name),
  )
}
