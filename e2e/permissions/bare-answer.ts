import { idPattern } from './judge-answer.ts'
import { buttonOf, canaryOf, refOf } from './marks.ts'
import { headerTargets, idTargets } from './places.ts'
import type { Answer } from './send.ts'

/** An answer less what differs by chance and what it says back: two such are equal where nothing can be told apart. */
export function bareAnswer({ status, headers, text }: Answer, sent: string) {
  const said = [...new Set(sent.match(idPattern)), ...knownTexts.filter((known) => sent.includes(known))]
  const bare = said.reduce((rest, each) => rest.replaceAll(each, '<said>'), text.replaceAll(madeAnew, ''))
  const about = Object.entries(headers)
    .filter(([name]) => !chance.includes(name))
    .map(([name, value]) => [name, value.replaceAll(/=[\w-]{43}(?=;)/g, '=<token>')])
  return JSON.stringify([status, about, bare])
}

const chance = ['date', 'content-length']
/** What every answer has of its own, whoever asks for it where. */
const madeAnew = /"(?:requestId|endsAt|key|qrImage|eula|privacy|terms|disclaimer)":"[^"]*"/g
const knownTexts = [...new Set([...headerTargets, ...idTargets])].flatMap((target) => [
  canaryOf(target),
  buttonOf(target),
  refOf(target),
])
