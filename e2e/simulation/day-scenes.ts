/** The hours between scenes are skipped: the doors are idle, and simulating them would take a hundred times as long. */
export const timeZone = 'Europe/Madrid'
export const date = '2026-03-02'
const scenes = [
  { name: 'night', from: '02:40:00', forMs: 1_500 },
  { name: 'early', from: '07:35:00', forMs: 4_000 },
  { name: 'peak', from: '08:10:00', forMs: 5_000 },
  { name: 'late', from: '08:45:00', forMs: 3_500 },
  { name: 'noon', from: '12:10:00', forMs: 2_500 },
  { name: 'evening', from: '17:20:00', forMs: 3_500 },
] as const

export type SceneName = (typeof scenes)[number]['name']
/** `from`, `until`: in milliseconds of the busy time; `startsAt`: since 1970. */
type Scene = { name: SceneName; from: number; until: number; startsAt: number }

/** In the site's time; Madrid is an hour ahead in March. */
const dayScenes: readonly Scene[] = scenes.map(({ name, from, forMs }, index) => {
  const begin = scenes.slice(0, index).reduce((sum, scene) => sum + scene.forMs, 0)
  return { name, from: begin, until: begin + forMs, startsAt: Date.parse(`${date}T${from}+01:00`) }
})

/** The sum of all scenes. */
export const busyMs = scenes.reduce((sum, { forMs }) => sum + forMs, 0)

export function sceneOf(name: SceneName) {
  const scene = dayScenes.find((each) => each.name === name)
  if (!scene) throw new Error(`There is no scene ${name}.`)
  return scene
}

/** The time of day, in milliseconds since 1970, after this much of the busy time. */
export function timeAt(busy: number) {
  const scene = dayScenes.findLast(({ from }) => from <= busy) ?? sceneOf('night')
  return scene.startsAt + busy - scene.from
}

/** The scenes that begin after the first and up to the second of two moments of the busy time. */
export function scenesBetween(after: number, upTo: number) {
  return dayScenes.filter(({ from }) => from > after && from <= upTo)
}
