import { idPattern } from './judge-answer.ts'
import { buttonOf, canaryOf, refOf } from './marks.ts'
import { headerTargets, idTargets } from './places.ts'
import type { Answer } from './send.ts'

/** The answer without random values and echoed input: two indistinguishable answers are equal. */
export function bareAnswer({ status, headers, text }: Answer, sent: string) {
  const echoed = [...new Set(sent.match(idPattern)), ...worldTexts.filter((each) => sent.includes(each))]
  const bare = echoed.reduce((rest, each) => rest.replaceAll(each, '<echoed>'), text.replaceAll(madeEachTime, ''))
  const about = Object.entries(headers)
    .filter(([name]) => !chance.includes(name))
    .map(([name, value]) => [name, value.replaceAll(/=[\w-]{43}(?=;)/g, '=<token>')])
  return JSON.stringify([status, about, bare])
}

const chance = ['date', 'content-length']
/** Fields whose value differs in every answer, for any user and request. */
const madeEachTime = /"(?:requestId|endsAt|key|qrImage|eula|privacy|terms|disclaimer)":"[^"]*"/g
const worldTexts = [...new Set([...headerTargets, ...idTargets])].flatMap((target) => [
  canaryOf(target),
  buttonOf(target),
  refOf(target),
])
