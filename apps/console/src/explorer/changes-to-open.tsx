import type { DecideAccess, ExplainedFinding } from '@portcullis/contract/calls/explorer'
import { IconArrowRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useAccount, useCan } from '../session/session-context.tsx'
import { phrase, strong } from '../text/phrase.ts'
import { PhraseText } from '../ui/phrase-text.tsx'
import { text } from '../text/text.ts'
import styles from './changes-to-open.module.css'

type Change = NonNullable<ExplainedFinding['change']>
type Thing = NonNullable<Change['of']>

/** The reasons that keep the door closed, with a link to change each. */
export function ChangesToOpen({ answer }: { answer: DecideAccess }) {
  const { ref } = useAccount()
  const placeOf = usePlaces(answer)
  const all = answer.findings.flatMap(({ change }) => change ?? [])
  const changes = all.filter(({ code }, index) => all.findIndex((other) => other.code === code) === index)
  if (changes.length === 0) return null
  return (
    <section className={styles.changes} aria-labelledby="changes">
      <h3 id="changes">{text('explorer.toOpen')}</h3>
      {changes.length === 2 && <p>{text('explorer.toOpenBoth')}</p>}
      {changes.length > 2 && <p>{text('explorer.toOpenAll', { count: changes.length })}</p>}
      <ul>
        {changes.map((change) => {
          const place = placeOf(change)
          const to: string = `/${ref}${place?.path}`
          return (
            <li key={change.code}>
              <span>
                <PhraseText phrase={wordsOf(change)} />
              </span>
              {place && (
                <Link to={to} search={place.open === undefined ? {} : { open: place.open }}>
                  {place.label}
                  <IconArrowRight size={14} aria-hidden="true" />
                </Link>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function wordsOf({ code, of }: Change) {
  const thing = of?.name ? strong(of.name) : text(`explorer.theThing.${of?.kind ?? 'door'}`)
  return phrase(`explorer.changes.${code}`, { thing })
}

type Place = { path: string; open?: string; label: string }

/** The screen on which an item is changed, if the user may view it. */
function usePlaces({ door, unit, person }: DecideAccess): (change: Change) => Place | undefined {
  const seesUnits = useCan('view', 'Controllers')
  const seesSchedules = useCan('view', 'Schedules')
  const addsRules = useCan('manage', 'Access Control')
  const label = (kind: keyof typeof paths | 'door' | 'newRule') => text(`explorer.openThing.${kind}`)

  return ({ code, of }) => {
    if (code === 'add_rule')
      return addsRules ? { path: '/rules/list', open: 'new', label: label('newRule') } : undefined
    if (code === 'add_credential') return placeOfPerson()
    if (isForRoom(code)) {
      return seesUnits && unit?._id ? { path: `/units/${unit._id}`, label: label('unit') } : undefined
    }
    return of?._id ? placeOf(of.kind, of._id) : undefined
  }

  function placeOf(kind: Thing['kind'], id: string): Place | undefined {
    if (kind === 'credential') return placeOfPerson()
    if (kind === 'door') return { path: `/sites/${door.site._id}`, open: id, label: label('door') }
    if ((kind === 'unit' && !seesUnits) || ((kind === 'schedule' || kind === 'holiday') && !seesSchedules))
      return undefined
    return { path: paths[kind], open: id, label: label(kind) }
  }

  function placeOfPerson() {
    return person?._id ? { path: paths.user, open: person._id, label: label('credential') } : undefined
  }
}

/** The controller's page lists what the controller has no room for. */
function isForRoom(code: Change['code']) {
  return code === 'make_room_for_door' || code === 'make_room_for_credential' || code === 'make_room_for_schedule'
}

const paths = {
  unit: '/units/list',
  credential: '/users/list',
  user: '/users/list',
  rule: '/rules/list',
  schedule: '/rules/schedules',
  holiday: '/rules/holidays',
} as const
