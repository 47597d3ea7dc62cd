import { leastEvents } from '../control-protocol.ts'
import { type Faults, noFaults } from '../unit-link.ts'
import { type Html, html } from './html.ts'

/** How the page shows each fault. The part after the colon of a field's name is the type that the script sends. */
const fields: Record<keyof Faults, (faults: Faults) => Html> = {
  offline: ({ offline }) => checkbox('offline', { label: 'Network cable unplugged', isOn: offline }),
  duplicate: ({ duplicate }) => checkbox('duplicate', { label: 'Events sent twice', isOn: duplicate }),
  reordered: ({ reordered }) => checkbox('reordered', { label: 'Events in random order', isOn: reordered }),
  unreadable: ({ unreadable }) => checkbox('unreadable', { label: 'Records damaged', isOn: unreadable }),
  lossPercent: ({ lossPercent }) =>
    amount('lossPercent', { label: 'Messages lost, in %', most: 100, value: lossPercent }),
  slowMs: ({ slowMs }) => amount('slowMs', { label: 'Delay of each message, in ms', most: 600_000, value: slowMs }),
  clockOffsetMs: ({ clockOffsetMs }) => html`<label>Clock ahead, in seconds (negative: behind)
    <input name="clockOffsetMs:seconds" type="number" step="any" required value="${clockOffsetMs / 1_000}"></label>`,
  tampered: ({ tampered }) => checkbox('tampered', { label: 'Housing open', isOn: tampered }),
  onBattery: ({ onBattery }) => checkbox('onBattery', { label: 'On battery', isOn: onBattery }),
  diskFails: ({ diskFails }) => checkbox('diskFails', { label: 'Disk refuses to write', isOn: diskFails }),
  maxDoors: ({ maxDoors }) => amount('maxDoors', { label: 'Room for doors', most: noFaults.maxDoors, value: maxDoors }),
  maxCredentials: ({ maxCredentials }) =>
    amount('maxCredentials', { label: 'Room for credentials', most: noFaults.maxCredentials, value: maxCredentials }),
  maxSchedules: ({ maxSchedules }) =>
    amount('maxSchedules', { label: 'Room for schedules', most: noFaults.maxSchedules, value: maxSchedules }),
  maxEvents: ({ maxEvents }) =>
    amount('maxEvents', { label: 'Room for events', least: leastEvents, most: noFaults.maxEvents, value: maxEvents }),
  memory: ({ memory }) => html`<label>Memory for configurations <select name="memory">
    ${memories.map(
      ([value, words]) => html`<option value="${value}" ${value === memory && html`selected`}>${words}</option>`,
    )}</select></label>`,
}

const memories: readonly (readonly [Faults['memory'], string])[] = [
  ['works', 'Works'],
  ['full', 'Too small: refuses every new configuration'],
  ['stuck', 'Stuck: never finishes applying one'],
]

/** The faults that a unit can simulate, each with its present value. */
export function faultsSection(faults: Faults, path: string): Html {
  return html`<section id="faults" data-region aria-labelledby="faults-title"><h3 id="faults-title">Faults</h3>
    <p>Faults stay after a power cut and a restart, until you repair them here.</p>
    <form action="${path}/faults" data-done="Faults applied.">
      ${Object.values(fields).map((field) => field(faults))}
      <button id="faults-apply">Apply faults</button>
    </form></section>`
}

const repaired = new Map<string, unknown>(Object.entries(noFaults))

/** How many faults are set. */
export function faultCount(faults: Faults) {
  return Object.entries(faults).filter(([name, value]) => value !== repaired.get(name)).length
}

type Amount = { label: string; least?: number; most: number; value: number }

function amount(name: string, { label, least = 0, most, value }: Amount): Html {
  return html`<label>${label}
    <input name="${name}:number" type="number" min="${least}" max="${most}" step="1" required value="${value}"></label>`
}

function checkbox(name: string, { label, isOn }: { label: string; isOn: boolean }): Html {
  // The hidden field is sent alone while the box is clear.
  return html`<label class="switch"><input type="hidden" name="${name}:boolean" value="">
    <input type="checkbox" name="${name}:boolean" value="on" ${isOn && html`checked`}>${label}</label>`
}
