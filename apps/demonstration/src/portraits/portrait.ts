/** How many choices each part of a drawn portrait has, in the order in which a code writes them. */
export const portraitChoices = {
  ground: 12,
  skin: 10,
  face: 4,
  hair: 19,
  hairColour: 11,
  eyes: 4,
  brows: 3,
  nose: 4,
  mouth: 5,
  beard: 7,
  glasses: 5,
  cover: 9,
  coverColour: 10,
  clothes: 8,
  clothesColour: 11,
  age: 3,
  earrings: 3,
} as const

export type PortraitPart = keyof typeof portraitChoices
/** Which choice was made for each part. */
export type Portrait = Readonly<Record<PortraitPart, number>>

/** One letter or digit a part: the code is the whole picture, so that nothing has to be kept. */
export function codeOfPortrait(portrait: Portrait): string {
  return partsInOrder.map((part) => portrait[part].toString(36)).join('')
}

/** Undefined for what is not a code. */
export function portraitOfCode(code: string): Portrait | undefined {
  if (code.length !== partsInOrder.length || !/^[0-9a-z]+$/.test(code)) return undefined
  const choices = partsInOrder.map((part, at) => ({ part, choice: Number.parseInt(code.charAt(at), 36) }))
  if (choices.some(({ part, choice }) => choice >= portraitChoices[part])) return undefined
  return makePortrait((part) => choices.find((one) => one.part === part)?.choice ?? 0)
}

export function makePortrait(choose: (part: PortraitPart) => number): Portrait {
  return {
    ground: choose('ground'),
    skin: choose('skin'),
    face: choose('face'),
    hair: choose('hair'),
    hairColour: choose('hairColour'),
    eyes: choose('eyes'),
    brows: choose('brows'),
    nose: choose('nose'),
    mouth: choose('mouth'),
    beard: choose('beard'),
    glasses: choose('glasses'),
    cover: choose('cover'),
    coverColour: choose('coverColour'),
    clothes: choose('clothes'),
    clothesColour: choose('clothesColour'),
    age: choose('age'),
    earrings: choose('earrings'),
  }
}

const partsInOrder = [
  'ground',
  'skin',
  'face',
  'hair',
  'hairColour',
  'eyes',
  'brows',
  'nose',
  'mouth',
  'beard',
  'glasses',
  'cover',
  'coverColour',
  'clothes',
  'clothesColour',
  'age',
  'earrings',
] as const satisfies readonly PortraitPart[]
