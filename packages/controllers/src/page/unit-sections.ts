import { presentedKinds } from '@portcullis/contract/unit-protocol/records'
import { directions } from '@portcullis/domain/policy'
import type { RecentDecision } from '../recent-decisions.ts'
import type { DoorSwitch } from '../unit-doors.ts'
import type { VirtualUnit } from '../virtual-unit.ts'
import { faultsSection } from './faults-section.ts'
import { type Html, html } from './html.ts'
import { decisionSentence, directionWords, kindWords, operationWords, positionWords, stateWords } from './page-words.ts'

type State = ReturnType<VirtualUnit['state']>
type Running = NonNullable<State['running']>
type Door = Running['doors'][number]

const operations: readonly DoorSwitch[] = ['exit', 'forced', 'held', 'closed']

/** Everything about one unit: its state, its doors and their readers, its last decisions, its power and its faults. */
export function unitSections(unit: VirtualUnit): Html {
  const state = unit.state()
  const path = `/units/${encodeURIComponent(unit.serial)}`
  const doors = state.running?.doors ?? []
  return html`${facts(state)}
    ${removal(state, path)}
    <section aria-labelledby="present-title"><h3 id="present-title">Present a credential</h3>
      ${presenting(doors, path)}</section>
    <section aria-labelledby="decisions-title"><h3 id="decisions-title">Last decisions</h3>
      <div id="decisions" data-region>${decisions(unit.recent.list(), doors)}</div></section>
    <section aria-labelledby="doors-title"><h3 id="doors-title">Doors</h3>
      <ul id="doors" data-region>${doors.length > 0 ? doors.map((door) => doorEntry(door, path)) : html`<li>No doors are configured.</li>`}</ul></section>
    ${power(state, path)}
    ${faultsSection(state.faults, path)}`
}

function facts(state: State): Html {
  const { serial, running } = state
  const { appliedVersion = null, pendingEvents = 0, model = null, offlineReason = null } = running ?? {}
  return html`<section id="facts" data-region aria-labelledby="unit-title">
    <h2 id="unit-title" tabindex="-1">${running?.name ?? serial}</h2>
    <dl>
      <div><dt>State</dt><dd>${stateWords(state)}</dd></div>
      <div><dt>Serial number</dt><dd>${serial}</dd></div>
      ${model !== null && html`<div><dt>Model</dt><dd>${model}</dd></div>`}
      <div><dt>Applied configuration</dt><dd>${appliedVersion === null ? 'None' : `Version ${appliedVersion}`}</dd></div>
      <div><dt>Events not yet acknowledged</dt><dd>${pendingEvents}</dd></div>
      ${offlineReason !== null && html`<div><dt>Not connected because</dt><dd>${offlineReason}</dd></div>`}
    </dl>
  </section>`
}

function presenting(doors: readonly Door[], path: string): Html {
  if (doors.length === 0) {
    return html`<p id="present" data-region>This controller has no doors. Add one in the console, or switch the controller on.</p>`
  }
  return html`<form id="present" data-region action="${path}/present" data-pending="Waiting for the decision…">
    <label>Door <select name="door:number">${doors.map(doorOption)}</select></label>
    <label>Reader <select name="direction">
      ${directions.map((each) => html`<option value="${each}">${directionWords[each]}</option>`)}</select></label>
    <label>Credential <select name="kind">
      ${presentedKinds.map((each) => html`<option value="${each}">${kindWords[each]}</option>`)}</select></label>
    <label>Number <input name="number" required maxlength="64" autocomplete="off"></label>
    <label>PIN <input name="pin" inputmode="numeric" maxlength="64" autocomplete="off"></label>
    <button class="primary">Present</button>
  </form>`
}

function doorOption({ number, name }: Door): Html {
  return html`<option value="${number}">${doorName({ number, name })}</option>`
}

function doorName({ number, name }: Pick<Door, 'number' | 'name'>) {
  return `${number}: ${name ?? 'not configured'}`
}

function decisions(recent: readonly RecentDecision[], doors: readonly Door[]): Html {
  if (recent.length === 0) return html`<p>No credential has been presented since the virtual controllers started.</p>`
  const row = ({ at, door, direction, kind, number, decision }: RecentDecision) => {
    const name = doors.find((each) => each.number === door)?.name ?? null
    // Like the console, which shows the numbers of cards only.
    const shown = kind === 'card' ? `${kindWords.card} ${number}` : kindWords[kind]
    const outcome = decision ? decisionSentence(decision) : 'Waiting for a second person or an approval…'
    return html`<li class="${decision?.verdict ?? 'waiting'}">
      <strong>${outcome}</strong>
      <span><time datetime="${new Date(at).toISOString()}">${new Date(at).toLocaleTimeString('en-GB')}</time>
        ${shown}, door ${doorName({ number: door, name })}, ${directionWords[direction].toLowerCase()}</span></li>`
  }
  return html`<ol id="decisions-list" tabindex="0" aria-labelledby="decisions-title">${recent.map(row)}</ol>`
}

function doorEntry(door: Door, path: string): Html {
  const { number, position, lock } = door
  const button = (what: DoorSwitch) =>
    html`<button id="door-${number}-${what}" name="what" value="${what}" aria-describedby="door-${number}"
      data-done="${door.name ?? `Door ${number}`}: ${operationWords[what].done}">${operationWords[what].button}</button>`
  return html`<li class="${position}">
    <form action="${path}/door">
      <input type="hidden" name="door:number" value="${number}">
      <p id="door-${number}"><strong>${doorName(door)}</strong> <span>${positionWords[position]}, ${lock}</span></p>
      <p class="buttons">${operations.map(button)}</p>
    </form></li>`
}

/** Also there, but empty, for other controllers: with the same regions, the page keeps what the user has entered. */
function removal({ running }: State, path: string): Html {
  if (running?.unit !== null) return html`<div id="removal" data-region></div>`
  return html`<section id="removal" data-region aria-labelledby="removal-title"><h3 id="removal-title">Not enrolled</h3>
    <p>To try again, enrol this controller with a new code. If its serial number is wrong, remove it.</p>
    <form class="buttons" action="${path}/remove" data-done="Removed."><button id="remove">Remove this controller</button></form>
    </section>`
}

function power({ running }: State, path: string): Html {
  const button = (action: string, words: { label: string; done: string }) =>
    html`<form action="${path}/${action}" data-done="${words.done}"><button id="power-${action}">${words.label}</button></form>`
  return html`<section id="power" data-region aria-labelledby="power-title"><h3 id="power-title">Power</h3>
    <p>A power cut loses everything that is not on the disk. The controller then starts again. Losing the log also loses the
      events that the server does not have yet.</p>
    <div class="buttons">
      ${running !== null && button('power-cut', { label: 'Cut the power', done: 'Power cut: the controller has started again.' })}
      ${running !== null && button('lose-log', { label: 'Lose the log', done: 'Log lost: the controller has started again.' })}
      ${
        running
          ? button('stop', { label: 'Switch off', done: 'Switched off.' })
          : button('start', { label: 'Switch on', done: 'Switched on.' })
      }
    </div></section>`
}
