import type { Reply } from '../control-reply.ts'
import type { VirtualUnit } from '../virtual-unit.ts'
import type { VirtualUnits } from '../virtual-units.ts'
import { faultCount } from './faults-section.ts'
import { type Html, html } from './html.ts'
import { stateWords } from './page-words.ts'
import { unitSections } from './unit-sections.ts'

/**
 * The content of the page: all units, and the selected or the first one in full. Each element with `data-region` is replaced
 * in the browser when its markup has changed.
 */
export function pageContent(units: VirtualUnits, selected: string | undefined): Reply {
  const all = units.list().sort((a, b) => collator.compare(a.serial, b.serial))
  const unit = selected === undefined ? all[0] : units.find(selected)
  const content = html`<div>
    <form id="find" data-region>
      <label>Find a controller <input name="find" type="search" autocomplete="off"></label>
    </form>
    <nav aria-label="Controllers"><ul id="controllers" data-region>${all.map((each) => entry(each, unit))}</ul></nav>
    ${enrolment()}
  </div>
  <div class="unit">${unit ? unitSections(unit) : noUnit(selected)}</div>`
  return { status: 200, type: 'text/html; charset=utf-8', text: content.markup }
}

const collator = new Intl.Collator('en', { numeric: true })

function entry(unit: VirtualUnit, selected: VirtualUnit | undefined): Html {
  const state = unit.state()
  const { serial, running } = state
  const alarms = running?.doors.filter(({ position }) => position === 'forced' || position === 'held').length ?? 0
  const faults = faultCount(state.faults)
  const words = [
    stateWords(state),
    ...(alarms === 0 ? [] : [`doors forced or held open: ${alarms}`]),
    ...(faults === 0 ? [] : [`faults: ${faults}`]),
  ].join(', ')
  return html`<li><a id="unit-${serial}" href="?unit=${encodeURIComponent(serial)}"
    ${unit === selected && html`aria-current="page"`}><strong>${running?.name ?? serial}</strong>
    <span>${serial}</span> <span>${words}</span></a></li>`
}

function noUnit(selected: string | undefined): Html {
  const sentence =
    selected === undefined
      ? 'No virtual controllers yet. Create a controller in the console, and enrol it here with its code.'
      : `No virtual controller has the serial number ${selected}.`
  return html`<p id="none" data-region>${sentence}</p>`
}

function enrolment(): Html {
  return html`<details id="enrolment" data-region>
    <summary>Enrol a controller</summary>
    <form action="/units" data-done="Enrolled." data-pending="Waiting for the server…">
      <label>Serial number <input name="serial" required maxlength="60" autocomplete="off"></label>
      <label>Model (optional) <input name="model" maxlength="80" autocomplete="off"></label>
      <label>Code from the console <input name="code" required maxlength="64" autocomplete="off"></label>
      <button>Enrol</button>
    </form>
  </details>`
}
