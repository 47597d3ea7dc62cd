import type { Options } from '@dicebear/open-peeps'

export type Figure = 'woman' | 'man'

/** The features of faces of one origin; a repeated value is chosen more often. */
type Look = Options & Record<Figure, Options>

const dark: Look = {
  skinColor: ['a9713f', '946038', '80543a', '755443'],
  headContrastColor: ['2c1b18'],
  woman: {
    head: ['afro', 'bantuKnots', 'buns', 'cornrows', 'cornrows2', 'dreads1', 'dreads2', 'twists2', 'longCurly'],
  },
  man: {
    head: ['flatTop', 'short1', 'short2', 'short5', 'shaved2', 'twists', 'twists2', 'dreads2', 'noHair1', 'short1'],
    facialHair: ['chin', 'full', 'goatee2', 'moustache6'],
  },
}

const brown: Look = {
  skinColor: ['d08b5b', 'c07c4c', 'ab6f42'],
  headContrastColor: ['2c1b18', '4a312c'],
  woman: { head: ['long', 'medium1', 'medium3', 'mediumBangs', 'mediumBangs3', 'longBangs', 'longCurly', 'grayBun'] },
  man: {
    head: ['short1', 'short2', 'short3', 'short5', 'pomp', 'shaved1', 'short4', 'grayShort', 'noHair2'],
    facialHair: ['full', 'full2', 'chin', 'moustache5', 'moustache6', 'goatee2'],
  },
}

const light: Look = {
  skinColor: ['ffdbb4', 'f6cfa4', 'edb98a'],
  headContrastColor: ['4a312c', '4a312c', '724133', 'a55728', 'b58143', 'd6b370', 'a8a29c'],
  woman: {
    head: ['bangs', 'grayBun', 'grayMedium', 'mediumBangs2', 'bangs', 'grayMedium', 'medium3', 'long', 'bangs2'],
  },
  man: {
    head: ['grayShort', 'short4', 'grayShort', 'short4', 'short2', 'short5', 'noHair2', 'noHair3', 'pomp'],
    facialHair: ['full4', 'moustache9', 'full4', 'moustache4'],
  },
}

/** The looks of the demonstration; some add head coverings to another. */
export const looks = {
  dark,
  darkWrap: withHeads(dark, { woman: ['bun', 'bun'], man: [] }),
  light,
  mixed: {
    skinColor: ['edb98a', 'd08b5b', 'c07c4c', 'a9713f'],
    headContrastColor: ['2c1b18', '4a312c', '724133'],
    woman: { head: ['hijab', 'hijab', 'long', 'longCurly', 'medium2', 'grayMedium', 'bangs', 'dreads1'] },
    man: { ...brown.man, head: ['short1', 'short2', 'short4', 'shaved2', 'twists', 'grayShort', 'noHair1', 'short5'] },
  },
  brown: withHeads(brown, { woman: ['hijab'], man: ['turban'] }),
  brownTurban: withHeads(brown, { woman: ['hijab', 'hijab'], man: ['turban', 'turban', 'turban'] }),
  eastAsian: {
    ...brown,
    skinColor: ['ffdbb4', 'f1c795', 'edb98a'],
    headContrastColor: ['2c1b18'],
    woman: { head: ['long', 'medium3', 'mediumStraight', 'bangs2', 'medium1', 'longBangs', 'bangs', 'grayBun'] },
    man: { ...brown.man, facialHairProbability: 12 },
  },
  olive: {
    ...brown,
    skinColor: ['f1c795', 'edb98a', 'd9a06f'],
    woman: { head: ['hijab', 'hijab', 'hijab', 'long', 'medium3', 'grayMedium', 'longCurly', 'mediumBangs2'] },
  },
} satisfies Record<string, Look>

export type LookName = keyof typeof looks

export function isLookName(name: string): name is LookName {
  return Object.hasOwn(looks, name)
}

/** The options of all portraits: friendly faces, muted clothes, and a background for light and dark pages. */
export const common: Options = {
  face: ['smile', 'smile', 'smile', 'calm', 'calm', 'cute', 'eatingHappy'],
  accessories: ['glasses', 'glasses2', 'glasses3', 'glasses5'],
  accessoriesProbability: 18,
  facialHairProbability: 0,
  maskProbability: 0,
  clothingColor: ['6d87ab', '7d9a77', '5b8a86', 'b9705c', '8a7aa8', 'c9a45a', '9aa5b4', 'd8d3c8'],
}

export const beardPercent = 35

export const grounds = ['dfe7f5', 'd5e8e1', 'f3e3d3', 'e9dff0', 'f5dcdc', 'dcebf0', 'eee8cf', 'e1ecd2']

type Head = NonNullable<Options['head']>

function withHeads(look: Look, more: Record<Figure, Head>): Look {
  return {
    ...look,
    woman: { ...look.woman, head: [...(look.woman.head ?? []), ...more.woman] },
    man: { ...look.man, head: [...(look.man.head ?? []), ...more.man] },
  }
}
