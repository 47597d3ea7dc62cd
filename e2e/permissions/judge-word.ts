import { type Finding, judgeAnswer } from './judge-answer.ts'
import type { Persona } from './personas.ts'
import type { Place } from './places.ts'
import { may } from './role-table.ts'
import type { World } from './world.ts'

type Judged = {
  world: World
  persona: Persona
  text: string
  /** The accounts whose rows the message may show. */
  places: ReadonlySet<Place>
  /** The accounts whose ids it may name, if more. */
  ids?: ReadonlySet<Place>
  sent: string
}

/** Checks that a message or answer from the socket shows only what it may. */
export function judgeWord({ world, persona, text, places, ids = places, sent }: Judged): Finding[] {
  const hasButtons = persona.rights !== undefined && may(persona.rights, 'view', 'iButton')
  return judgeAnswer({
    world,
    answer: { status: 200, headers: {}, text },
    expected: { status: 200 },
    scope: { texts: places, ids, hasButtons },
    sent,
  })
}
