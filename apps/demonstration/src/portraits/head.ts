import { ink, skins } from './colours.ts'
import type { Portrait } from './portrait.ts'

/** Ears, face and what is in it. The picture is 120 wide and high, the eyes stand at 54. */
export function drawHead({ skin, face, nose, mouth, age, eyes, brows }: Portrait, browColour: string): string {
  const { light, shade } = skins[skin] ?? skins[0]
  return [
    `<ellipse cx="40" cy="55.5" rx="4.2" ry="6" fill="${shade}"/><ellipse cx="80" cy="55.5" rx="4.2" ry="6" fill="${shade}"/>`,
    `<path d="${faces[face] ?? faces[0]}" fill="${light}"/>`,
    lines(age, shade),
    drawBrows(brows, browColour),
    eyePairs[eyes] ?? eyePairs[0],
    stroke(noses[nose] ?? noses[0], { colour: shade, width: 2 }),
    drawMouth({ mouth, shade, isDark: skin > 5 }),
  ].join('')
}

/** Drawn before the clothes, which lie over it. */
export function drawNeck({ skin }: Portrait): string {
  const { shade } = skins[skin] ?? skins[0]
  return `<path d="M51 66H69V84C69 88 73 90 78 91 76 104 44 104 42 91 47 90 51 88 51 84Z" fill="${shade}"/>`
}

/** The outline of the face, which beards and veils follow. */
export const faces = [
  'M40 50C40 34 48 27 60 27S80 34 80 50C80 66 72 79 60 79S40 66 40 50Z',
  'M39.5 52C39.5 35 48 28 60 28S80.5 35 80.5 52C80.5 67 72 77.5 60 77.5S39.5 67 39.5 52Z',
  'M40 48C40 33 48 27 60 27S80 33 80 48L79 62C78 72.5 70 79 60 79S42 72.5 41 62Z',
  'M41 48C41 33 49 26 60 26S79 33 79 48C79 66 73 81.5 60 81.5S41 66 41 48Z',
] as const

export function stroke(path: string, { colour, width }: { colour: string; width: number }) {
  return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`
}

const eyePairs = [
  `<circle cx="51.5" cy="54.5" r="2.3" fill="${ink}"/><circle cx="68.5" cy="54.5" r="2.3" fill="${ink}"/><circle cx="52.3" cy="53.7" r=".7" fill="#fff"/><circle cx="69.3" cy="53.7" r=".7" fill="#fff"/>`,
  `<ellipse cx="51.5" cy="54.5" rx="3.7" ry="2.6" fill="#fff"/><ellipse cx="68.5" cy="54.5" rx="3.7" ry="2.6" fill="#fff"/><circle cx="51.7" cy="54.5" r="2.1" fill="#3b2a22"/><circle cx="68.3" cy="54.5" r="2.1" fill="#3b2a22"/>`,
  `<ellipse cx="51.5" cy="54.5" rx="3.8" ry="2.2" fill="#fff"/><ellipse cx="68.5" cy="54.5" rx="3.8" ry="2.2" fill="#fff"/><circle cx="51.7" cy="54.4" r="2" fill="#4d6b73"/><circle cx="68.3" cy="54.4" r="2" fill="#4d6b73"/>${stroke('M47.6 53.6Q51.5 50.8 55.3 53.6M64.7 53.6Q68.5 50.8 72.4 53.6', { colour: ink, width: 1.3 })}`,
  stroke('M48.2 55.3Q51.5 51.6 54.8 55.3M65.2 55.3Q68.5 51.6 71.8 55.3', { colour: ink, width: 2 }),
] as const

function drawBrows(brows: number, colour: string) {
  const path = [
    'M47.5 48.5Q51.5 46 55.5 48M64.5 48Q68.5 46 72.5 48.5',
    'M47.5 47.8H55.5M64.5 47.8H72.5',
    'M47.3 49Q50 45.3 55.7 47.3M64.3 47.3Q70 45.3 72.7 49',
  ][brows]
  return stroke(path ?? '', { colour, width: brows === 1 ? 2.4 : 1.7 })
}

const noses = [
  'M60.5 55C60 59.5 57.3 62 58.3 63.3 59.2 64.3 61 64 62 63.6',
  'M56.8 62.6Q60 65.6 63.2 62.6',
  'M59.6 56C59.6 60 62.6 62.3 61.8 63.4 61 64.3 59 64 58 63.6',
  'M57.6 61.6C55.8 63.8 58 64.8 60 64.2 62 64.8 64.2 63.8 62.4 61.6',
] as const

function drawMouth({ mouth, shade, isDark }: { mouth: number; shade: string; isDark: boolean }) {
  const lip = isDark ? '#8d4139' : '#b8605a'
  const line = isDark ? '#2f1811' : '#8a4a41'
  switch (mouth) {
    case 0:
      return stroke('M53.5 69Q60 74.8 66.5 69', { colour: line, width: 2 })
    case 1:
      return `<path d="M53 68.5Q60 71 67 68.5Q65.5 76 60 76T53 68.5Z" fill="#fff" stroke="${lip}" stroke-width="1.1"/>`
    case 2:
      return `<path d="M54 69.8Q57.5 67.4 60 68.7 62.5 67.4 66 69.8 63 74 60 74T54 69.8Z" fill="${lip}"/>`
    case 3:
      return stroke('M55 70.6Q60 72.2 65 70.6', { colour: line, width: 2 })
    default:
      return stroke('M54 70.5Q61 73.6 66 68.7', { colour: isDark ? line : shade, width: 2 })
  }
}

/** Years of laughter. */
function lines(age: number, shade: string) {
  if (age === 0) return ''
  const eyes = stroke('M45.5 53.5l-2.2-1.3M45.5 56l-2.3 .9M74.5 53.5l2.2-1.3M74.5 56l2.3 .9', {
    colour: shade,
    width: 1,
  })
  const mouth = stroke('M52 64.5Q49.5 67 49.8 70M68 64.5Q70.5 67 70.2 70', { colour: shade, width: 1.2 })
  return age === 1 ? mouth : `${mouth}${eyes}${stroke('M52 37.5Q60 36 68 37.5', { colour: shade, width: 1 })}`
}
