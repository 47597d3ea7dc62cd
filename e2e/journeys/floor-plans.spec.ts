import { join } from 'node:path'
import { floorPlans } from '@portcullis/contract/collections/floor-plans'
import { units } from '@portcullis/contract/collections/units'
import { expect, type Page, test } from '@playwright/test'
import { openWithControllers, type ProductWithControllers } from '../open-product.ts'
import { addConfirmedUser } from '../people.ts'
import { enterConsole } from '../sign-in.ts'
import { makeSmallSite } from '../small-site.ts'
import { violationsOf } from '../sound.ts'

const drawing = join(import.meta.dirname, '../../apps/demonstration/src/world/cold-store-north.webp')

let product: ProductWithControllers

test.beforeAll(async () => {
  product = await openWithControllers()
})
test.afterAll(() => product.stop())

test('§6 floor plans: a door and its controller are placed on an image, change live, and the door is unlocked there', async ({
  page,
  browser,
}) => {
  test.setTimeout(120_000)
  const { control } = product.controllers
  const { site, unit, door, serial, number } = await makeSmallSite({ ...product, control, serial: 'F-1' })
  const path = `/main/sites/${site._id}/floorPlans`
  await enterConsole(page, { url: product.url, path })

  await page.getByRole('button', { name: 'Add floor plan' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Ground floor')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  const editor = page.getByRole('region', { name: 'Edit Ground floor' })
  const chosen = page.waitForEvent('filechooser')
  await editor.getByRole('button', { name: 'Add image' }).click()
  await (await chosen).setFiles(drawing)
  const canvas = page.getByRole('region', { name: 'Ground floor', exact: true })
  await expect(canvas).toBeVisible()

  await editor.getByRole('button', { name: `Place ${door.name}` }).press('Enter')
  const edited = canvas.getByRole('button', { name: `Move ${door.name}` })
  await edited.press('ArrowLeft')
  await edited.press('Shift+ArrowUp')
  await expect(editor.getByRole('status')).toHaveText(`${door.name}: 49 % from the left, 49.9 % from the top`)
  await drag(page, { from: editor.getByRole('listitem').getByText(unit.name), to: canvas, x: 0.25, y: 0.75 })
  await expect(canvas.getByRole('button', { name: `Move ${unit.name}` })).toBeVisible()
  expect(await violationsOf(page)).toEqual([])
  await editor.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(editor).toBeHidden()
  const [stored] = (await product.client.of(floorPlans).list({ filter: { site: site._id } })).items
  expect(stored?.placements).toMatchObject([
    { kind: 'Door', id: door._id, x: 0.49, y: 0.499 },
    { kind: 'Controller', id: unit._id },
  ])
  expect(stored?.placements[1]?.x).toBeCloseTo(0.25, 1)
  expect(stored?.placements[1]?.y).toBeCloseTo(0.75, 1)

  const marker = canvas.getByRole('button', { name: door.name })
  // The door has not been reported yet.
  await expect(marker).toContainText('Unknown')
  await expect(canvas.getByRole('button', { name: unit.name })).toContainText('Online')
  expect(await violationsOf(page)).toEqual([])
  await watchMarker(page, door.name)
  expect((await control.present(serial, { door: 1, number })).verdict).toBe('grant')
  await expect.poll(() => page.evaluate(markedStates)).toContain('Open')
  await control.operateDoor(serial, { door: 1, what: 'forced' })
  await expect(marker).toContainText('Forced')
  await expect(page.getByRole('row', { name: new RegExp(door.name) })).toContainText('Forced')
  await control.operateDoor(serial, { door: 1, what: 'closed' })
  await expect(marker).toContainText('Closed')

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(canvas.getByText(door.name)).toBeHidden()
  await expect(canvas.getByRole('button', { name: new RegExp(`^${door.name}.*Closed`) })).toBeVisible()
  await page.setViewportSize({ width: 1280, height: 720 })

  await marker.press('Enter')
  const card = page.getByRole('dialog', { name: door.name })
  await card.getByRole('button', { name: 'Unlock once' }).click()
  await expect(page.getByText('Confirmed').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(card).toBeHidden()

  await control.setFaults(serial, { offline: true })
  await expect.poll(async () => (await product.client.of(units).get(unit._id)).status).toBe('offline')
  await expect(marker).toContainText('Offline')

  const reader = await addConfirmedUser(product, {
    name: 'Graham',
    email: 'graham@floors.example',
    role: 'reportingUser',
  })
  const other = await browser.newPage()
  await enterConsole(other, { url: product.url, path, user: reader })
  await expect(other.getByRole('button', { name: new RegExp(`^${door.name}.*Closed`) }).first()).toBeVisible()
  await expect(other.getByRole('button', { name: /Edit plan|Add floor plan|Rename/ })).toHaveCount(0)
  await other.close()
})

type Dragging = { from: ReturnType<Page['locator']>; to: ReturnType<Page['locator']>; x: number; y: number }

/** With the mouse, to these shares of the target. */
async function drag(page: Page, { from, to, x, y }: Dragging) {
  await from.hover()
  await page.mouse.down()
  const box = await to.boundingBox()
  if (!box) throw new Error('The target is not visible.')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.move(box.x + box.width * x, box.y + box.height * y, { steps: 4 })
  await page.mouse.up()
}

/** Marks every state that a marker shows from now on: a door closes again within seconds. */
function watchMarker(page: Page, name: string) {
  return page.evaluate((door) => {
    const marker = [...document.querySelectorAll('section button')].find((each) => each.textContent.startsWith(door))
    const note = () => performance.mark(`state ${marker?.textContent}`)
    if (marker) new MutationObserver(note).observe(marker, { childList: true, subtree: true, characterData: true })
  }, name)
}

function markedStates() {
  return performance
    .getEntriesByType('mark')
    .map(({ name }) => name)
    .join(' ')
}
