import { drawBeard } from './beards.ts'
import { drawClothes } from './clothes.ts'
import { clothesColours, coverColours, grounds, hairColours, skins } from './colours.ts'
import { type Cover, covers, hardHat, hardHatColours } from './covers.ts'
import { drawGlasses } from './glasses.ts'
import { type Hair, hairs } from './hair.ts'
import { drawHead, drawNeck } from './head.ts'
import type { Portrait } from './portrait.ts'

/** A person who does not exist, as an SVG: head and shoulders, from the back to the front. */
export function drawPortrait(portrait: Portrait): string {
  const hair = hairs[portrait.hair] ?? none
  const cover = covers[portrait.cover] ?? bare
  const hairColour = hairColours[portrait.hairColour] ?? hairColours[0]
  const coverColour = colourOfCover(portrait)
  const clothing = clothesColours[portrait.clothesColour] ?? clothesColours[0]
  const { shade } = skins[portrait.skin] ?? skins[0]
  const isHairSeen = cover.hides !== 'everything'
  const layers = [
    `<rect width="120" height="120" fill="${grounds[portrait.ground] ?? grounds[0]}"/>`,
    filled(isHairSeen ? hair.back : undefined, darker(hairColour)),
    filled(cover.back, darker(coverColour)),
    drawNeck(portrait),
    drawClothes(portrait.clothes, { colour: clothing, shade: darker(clothing) }),
    drawHead(portrait, hairColour === '#e7e4de' ? '#b9b5ad' : browOf(hairColour, shade)),
    drawEarrings(portrait, cover),
    drawBeard(portrait.beard, hairColour),
    portrait.beard > 2 ? mouthOnBeard : '',
    filled(isHairSeen ? hairUnder(cover, hair.front) : undefined, hairColour),
    filled(cover.front, coverColour, 'evenodd'),
    filled(cover.shine, darker(coverColour)),
    drawGlasses(portrait.glasses),
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="10 5 100 100" width="200" height="200">${layers.join('')}</svg>`
}

const none: Hair = { name: 'none', front: '' }
const bare: Cover = { name: 'none', hides: 'nothing', back: '', front: '' }

const mouthOnBeard =
  '<path d="M54.5 69.5Q60 73.5 65.5 69.5" fill="none" stroke="#f3dcd4" stroke-opacity=".75" stroke-width="1.8" stroke-linecap="round"/>'

function filled(path: string | undefined, colour: string, rule: 'nonzero' | 'evenodd' = 'nonzero') {
  return path ? `<path d="${path}" fill="${colour}" fill-rule="${rule}"/>` : ''
}

/** Under a hat the hair ends where the hat begins. */
function hairUnder({ hides }: Cover, front: string) {
  return hides === 'top' ? '' : front
}

function colourOfCover({ cover, coverColour }: Portrait) {
  if (cover === hardHat) return hardHatColours[coverColour % hardHatColours.length] ?? hardHatColours[0]
  return coverColours[coverColour] ?? coverColours[0]
}

/** Brows are seen on every skin. */
function browOf(hair: string, shade: string) {
  return brightness(hair) > 150 ? darker(shade) : hair
}

function drawEarrings({ earrings, skin }: Portrait, { hides }: Cover) {
  if (earrings === 0 || hides === 'everything') return ''
  const colour = skin > 4 ? '#e3b64c' : '#d0a03c'
  const shape = (x: number) =>
    earrings === 1
      ? `<circle cx="${x}" cy="62" r="1.6" fill="${colour}"/>`
      : `<circle cx="${x}" cy="64.5" r="3" fill="none" stroke="${colour}" stroke-width="1.3"/>`
  return shape(39.5) + shape(80.5)
}

export function darker(colour: string) {
  const parts = [1, 3, 5].map((at) => Math.round(Number.parseInt(colour.slice(at, at + 2), 16) * 0.8))
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

function brightness(colour: string) {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
  return (red * 3 + green * 6 + blue) / 10
}
