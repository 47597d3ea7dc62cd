import type { DecideAccess } from '@portcullis/contract/calls/explorer'
import { IconArrowRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { InterlockedDoor } from '../commands/use-interlocks-of.ts'
import { useAccount, useCan } from '../session/session-context.tsx'
import { phrase, strong } from '../text/phrase.ts'
import { PhraseText } from '../ui/phrase-text.tsx'
import { text } from '../text/text.ts'
import { type ChangeToOpen, changesOf, changeWords } from '../why/change-words.ts'
import styles from './changes-to-open.module.css'

type Thing = NonNullable<ChangeToOpen['of']>

type Props = {
  answer: DecideAccess
  /** The other doors that keep the door locked now. */
  blocking: readonly InterlockedDoor[]
}

/** The reasons that keep the door closed, with a link to change each. */
export function ChangesToOpen({ answer, blocking }: Props) {
  const placeOf = usePlaces(answer)
  const changes = [
    ...blocking.map(({ _id, name, site, state }) => ({
      key: _id,
      words: phrase(`explorer.blocking.${state === 'unknown' ? 'unknown' : 'open'}`, { thing: strong(name) }),
      place: { path: `/sites/${site}`, open: _id, label: text('explorer.openThing.door') },
    })),
    ...changesOf(answer.findings).map((change) => ({
      key: change.code,
      words: changeWords(change),
      place: placeOf(change),
    })),
  ]
  if (changes.length === 0) return null
  return (
    <section className={styles.changes} aria-labelledby="changes">
      <h3 id="changes">{text('explorer.toOpen')}</h3>
      {changes.length === 2 && <p>{text('explorer.toOpenBoth')}</p>}
      {changes.length > 2 && <p>{text('explorer.toOpenAll', { count: changes.length })}</p>}
      <ul>
        {changes.map(({ key, words, place }) => (
          <li key={key}>
            <span>
              <PhraseText phrase={words} />
            </span>
            {place && <PlaceLink place={place} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

function PlaceLink({ place: { path, open, label } }: { place: Place }) {
  const { ref } = useAccount()
  const to: string = `/${ref}${path}`
  return (
    <Link to={to} search={open === undefined ? {} : { open }}>
      {label}
      <IconArrowRight size={14} aria-hidden="true" />
    </Link>
  )
}

type Place = { path: string; open?: string; label: string }

/** The screen on which an item is changed, if the user may view it. */
function usePlaces({ door, unit, person }: DecideAccess): (change: ChangeToOpen) => Place | undefined {
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
function isForRoom(code: ChangeToOpen['code']) {
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
