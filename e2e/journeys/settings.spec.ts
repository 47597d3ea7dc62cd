import { signedInClient } from '@portcullis/client/signed-in-client'
import { users } from '@portcullis/contract/collections/users'
import { type Browser, expect, type Page, test } from '@playwright/test'
import type { TestMailbox } from '../../apps/server/src/mail/test-mailbox.ts'
import { administrator } from '../administrator.ts'
import { codeOf } from '../authenticator.ts'
import { addPerson, addUnverifiedPerson, linkMailedTo, type Person } from '../people.ts'
import { openProduct, type Product } from '../open-product.ts'
import { openProductWithMailbox } from '../product-with-mailbox.ts'
import { enterConsole, signInByCall } from '../sign-in.ts'
import { expectSound, show, views } from '../sound.ts'

// Parallel, because no test depends on the data of another.
test.describe.configure({ mode: 'parallel' })

let product: Product
let mailbox: TestMailbox

test.beforeAll(async () => {
  ;({ product, mailbox } = await openProductWithMailbox())
})
test.afterAll(() => product.stop())

test('§4 users/settings: My profile is the first tab; the user menu, the sidebar and the palette lead to the tabs', async ({
  page,
}) => {
  await enterConsole(page, { url: product.url })
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'My profile' }).click()
  await expect(page).toHaveTitle('User settings - Portcullis')
  await expect(tab(page, 'My profile')).toHaveAttribute('aria-current', 'page')
  await page.getByRole('link', { name: 'Password Reset / MFA' }).click()
  await expect(page).toHaveURL(/\/main\/users\/settings\?tab=password$/)
  await expect(page.getByRole('link', { name: 'Password Reset / MFA' })).toHaveAttribute('aria-current', 'page')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('settings sessions')
  await expect(page.getByRole('option', { selected: true })).toHaveText(/Sessions/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/main\/users\/settings\?tab=sessions$/)
  await tab(page, 'Two-factor').click()
  await page.goBack()
  await expect(tab(page, 'Sessions')).toHaveAttribute('aria-current', 'page')
})

test('§4 users/settings: the name is changed; roles, idle time and consent are shown', async ({ page }) => {
  const person = await addPerson(product, mailbox, {
    name: 'Ayanda',
    email: 'ayanda@portcullis.example',
    role: 'reportingUser',
    idleTime: 90,
  })
  await openSettings(page, person, 'profile')
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('')
  await expect(page.getByText('This is required.')).toBeVisible()
  await name.fill('Ayanda Nkosi')
  await name.press('Enter')
  await expect(messages(page)).toContainText('Saved')
  await page.getByRole('button', { name: 'User menu' }).click()
  await expect(page.getByRole('menu')).toContainText('Ayanda Nkosi')
  await page.keyboard.press('Escape')

  await expect(section(page, 'Accounts').getByRole('listitem')).toHaveText(/This account.*Reporting user/)
  await expect(section(page, 'Idle time')).toContainText('90 seconds')
  await expect(section(page, 'Idle time')).toContainText('Only your administrator can change your idle time.')
  await expect(section(page, 'Idle time').getByRole('textbox')).toHaveCount(0)
  const policies = section(page, 'Policies').getByRole('listitem')
  await expect(policies).toHaveText(Array.from({ length: 4 }, () => /Accepted \d/))
  await expect(policies.getByRole('link').first()).toHaveAttribute('href', '/assets/policy/eula?lang=en')
})

test('§4 users/settings: users who may manage idle times change their own', async ({ page }) => {
  const person = await addPerson(product, mailbox, { name: 'Bongani', email: 'bongani@portcullis.example' })
  await openSettings(page, person, 'profile')
  const seconds = section(page, 'Idle time').getByRole('textbox', { name: 'Seconds' })
  await expect(section(page, 'Idle time')).toContainText('That is 5 minutes.')
  await seconds.fill('4')
  await expect(section(page, 'Idle time').getByRole('button', { name: 'Save' })).toBeDisabled()
  await seconds.fill('900')
  await expect(section(page, 'Idle time')).toContainText('That is 15 minutes.')
  await section(page, 'Idle time').getByRole('button', { name: 'Save' }).click()
  await expect(messages(page)).toContainText('Saved')
  expect((await product.client.of(users).get(person._id)).idleTime).toBe(900)
})

test('§5 email: a change can be cancelled, and takes effect when both addresses are confirmed', async ({
  page,
  context,
}) => {
  const person = await addPerson(product, mailbox, { name: 'Chanda', email: 'chanda@portcullis.example' })
  await openSettings(page, person, 'profile')
  const email = section(page, 'Email')
  const ask = async (to: string) => {
    await email.getByRole('button', { name: 'Change email' }).click()
    await email.getByRole('textbox', { name: 'New email' }).fill(to)
    await email.getByRole('textbox', { name: 'New email' }).press('Enter')
    await expect(email.getByRole('group')).toContainText(to)
  }
  await ask('mistyped@portcullis.example')
  await email.getByRole('button', { name: 'Cancel change' }).click()
  await expect(email.getByRole('group')).toBeHidden()

  await ask('chanda.new@portcullis.example')
  await expect(email.getByText('Not confirmed yet')).toHaveCount(2)
  const atNew = await linkMailedTo(mailbox, { email: 'chanda.new@portcullis.example', page: 'email-confirm' })
  const atOld = await linkMailedTo(mailbox, { email: person.email, page: 'email-confirm', count: 2 })
  const mails = await context.newPage()
  await mails.goto(atNew)
  await expect(mails.getByText('Your email changes once the other address is confirmed, too.')).toBeVisible()
  await page.bringToFront()
  await returnToTab(page)
  await expect(email.getByText('Not confirmed yet')).toHaveCount(1)
  await mails.goto(atOld)
  await expect(mails.getByText('Your email address has been successfully confirmed.')).toBeVisible()
  await page.bringToFront()
  await returnToTab(page)
  await expect(email.getByRole('group')).toBeHidden()
  await expect(email.getByText('chanda.new@portcullis.example', { exact: true })).toBeVisible()
})

test('§5 password: an error appears at its field; a change ends every other session and reports this', async ({
  page,
  browser,
}) => {
  const person = await addPerson(product, mailbox, { name: 'Daniswa', email: 'daniswa@portcullis.example' })
  const elsewhere = await signedInElsewhere(browser, person)
  await openSettings(page, person, 'password')
  const field = (name: string) => page.getByRole('textbox', { name })
  const change = page.getByRole('button', { name: 'Change password' })
  const fill = async (oldPassword: string, newPassword: string) => {
    await field('Current password').fill(oldPassword)
    await field('New password').fill(newPassword)
    await field('Confirm password').fill(newPassword)
  }
  await fill(person.password, 'short')
  await field('Confirm password').blur()
  await expect(page.getByText('At least 12 characters.')).toBeVisible()
  await expect(change).toBeDisabled()
  await field('New password').fill('daniswaportcullis')
  await expect(page.getByRole('status', { name: 'Password strength' })).toHaveText('Easy to guess')
  await expect(change).toBeDisabled()
  await fill('not the password', 'seven quiet lighthouses')
  await expect(page.getByRole('status', { name: 'Password strength' })).toHaveText(/hard to guess/i)
  await change.click()
  await expect(page.getByText('This is not your current password.')).toBeVisible()
  await expect(field('Current password')).toHaveAttribute('aria-invalid', 'true')

  await fill(person.password, 'seven quiet lighthouses')
  await field('Confirm password').press('Enter')
  await expect(
    page.getByText('You have been signed out everywhere else, and an email confirms the change.'),
  ).toBeVisible()
  await elsewhere.goto(`${product.url}/main/contacts/list`)
  await expect(elsewhere).toHaveURL(/\/authentication\/login/)
  await page.reload()
  await expect(change).toBeVisible()
  await signedInClient({ baseUrl: product.url, email: person.email, password: 'seven quiet lighthouses' })
})

test('§5 password: the server’s refusal of a weak password appears at the field', async ({ page }) => {
  const person = await addPerson(product, mailbox, { name: 'Enzokuhle', email: 'enzokuhle@portcullis.example' })
  // Blocks the estimate in the browser, so that only the server checks the strength.
  await page.route('**/*estimate-strength*', (route) => route.abort())
  await openSettings(page, person, 'password')
  await page.getByRole('textbox', { name: 'Current password' }).fill(person.password)
  for (const name of ['New password', 'Confirm password'])
    await page.getByRole('textbox', { name }).fill('aaaaaaaaaaaaaa')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('This password is easy to guess.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'New password' })).toHaveAttribute('aria-invalid', 'true')
})

test('§5 password: a user who has forgotten it is mailed a link', async ({ page }) => {
  const person = await addPerson(product, mailbox, { name: 'Fikile', email: 'fikile@portcullis.example' })
  await openSettings(page, person, 'password')
  await page.getByRole('button', { name: 'Email me a reset link' }).click()
  await expect(page.getByText('A reset link has been sent to fikile@portcullis.example.')).toBeVisible()
  await linkMailedTo(mailbox, { email: person.email, page: 'password-reset', count: 2 })
})

test('§4 MFA: it is set up, turned off and on, and its recovery codes are renewed', async ({ page }) => {
  const person = await addPerson(product, mailbox, { name: 'Gugu', email: 'gugu@portcullis.example' })
  await openSettings(page, person, 'mfa')
  const state = section(page, 'Two-factor authentication')
  await expect(state).toContainText('Off')
  await page.getByRole('button', { name: 'Set up' }).click()
  const setUp = page.getByRole('dialog', { name: 'Set up two-factor authentication' })
  await setUp.getByRole('button', { name: 'Show QR' }).click()
  const key = (await setUp.locator('code').textContent()) ?? ''
  await setUp.getByLabel('Verification code').fill(codeOf(key))
  await setUp.getByRole('button', { name: 'Verify' }).click()
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await expect(state).toContainText('On')
  const codes = section(page, 'Recovery codes')
  await expect(codes).toContainText('10 recovery codes left')

  await needFreshSignIn(page, 'disablemfa')
  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
  const question = page.getByRole('dialog', { name: 'Please confirm that it is you' })
  const password = question.getByRole('textbox', { name: 'Password' })
  const code = question.getByRole('textbox', { name: 'Verification code' })
  await expect(password).toBeFocused()
  await password.fill('not the password')
  await code.fill(codeOf(key, 1))
  await code.press('Enter')
  await expect(question.getByText('This is not your password.')).toBeVisible()
  await password.fill(person.password)
  await code.fill('000000')
  await code.press('Enter')
  await expect(question.getByText('Invalid OTP provided.')).toBeVisible()
  await code.fill(codeOf(key, 1))
  await expectSound(page)
  await code.press('Enter')
  await expect(messages(page)).toContainText('Two-factor authentication is off')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(state).toContainText('Your authenticator app is set up')
  await page.getByRole('button', { name: 'Turn on' }).click()
  await expect(state).toContainText('You enter a code from your authenticator app')

  await codes.getByRole('button', { name: 'Create new codes' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create new codes' }).click()
  const shown = page.getByRole('dialog', { name: 'Save your recovery codes' })
  await expect(shown.getByRole('listitem')).toHaveCount(10)
  await expect(shown.getByRole('link', { name: 'Download' })).toBeVisible()
  await page.keyboard.press('Escape')
  const [recoveryCode = ''] = await shown.getByRole('listitem').allTextContents()
  await shown.getByRole('button', { name: 'I have saved them' }).click()

  await expect(page.getByRole('dialog')).toHaveCount(0)
  await needFreshSignIn(page, 'recoveryCodes')
  await codes.getByRole('button', { name: 'Create new codes' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create new codes' }).click()
  await password.fill(person.password)
  await code.fill(recoveryCode)
  await code.press('Enter')
  await shown.getByRole('button', { name: 'I have saved them' }).click()
  await expect(codes).toContainText('10 recovery codes left')
})

test('§4 sessions: this device is marked, one session is ended, then all others; the history shows attempts', async ({
  page,
  browser,
}) => {
  const person = await addPerson(product, mailbox, { name: 'Jabu', email: 'jabu@portcullis.example' })
  const wrong = signedInClient({ baseUrl: product.url, email: person.email, password: 'not the password' })
  await expect(wrong).rejects.toThrow('incorrect')
  const otherSessions = [await signedInElsewhere(browser, person), await signedInElsewhere(browser, person)]
  await openSettings(page, person, 'sessions')
  const rows = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')
  await expect(rows.filter({ hasText: 'This device' })).toHaveText(/^Chrome on Linux/)
  await expect(rows.filter({ hasText: 'This device' }).getByRole('button')).toHaveCount(0)
  // One of the sessions is of the client that accepted the policies.
  await expect(rows).toHaveCount(4)
  await expect(rows.filter({ hasText: 'Program node' })).toHaveCount(1)
  await page.getByRole('button', { name: /^End the session on Program node/ }).click()
  await expect(rows).toHaveCount(3)
  await expect(messages(page)).toContainText('The session on Program node has ended')
  await page.getByRole('button', { name: 'End all others' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End all others' }).click()
  await expect(messages(page)).toContainText('2 sessions have ended')
  await expect(rows).toHaveCount(1)
  await expect(page.getByText('You are not signed in anywhere else.')).toBeVisible()
  for (const other of otherSessions) {
    await other.goto(`${product.url}/main/sites`)
    await expect(other).toHaveURL(/\/authentication\/login/)
  }

  const history = page.getByRole('list', { name: 'Sign-in history' }).getByRole('listitem')
  await expect(history.first()).toHaveText(/Signed in.*Chrome on Linux/)
  await expect(history.filter({ hasText: 'Wrong password' })).toHaveText(/Program node/)
})

test('§4 sessions: a user who returns to the tab sees sessions started meanwhile', async ({ page, browser }) => {
  const person = await addPerson(product, mailbox, { name: 'Khosi', email: 'khosi@portcullis.example' })
  await openSettings(page, person, 'sessions')
  const rows = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await signedInElsewhere(browser, person)
  await returnToTab(page)
  await expect(rows).toHaveCount(3)
})

test('§4 users/settings: another user’s form leads to mails and an MFA reset', async ({ page }) => {
  const person = await addPerson(product, mailbox, { name: 'Lwazi', email: 'lwazi@portcullis.example' })
  const { client } = await signedInClient({ baseUrl: product.url, ...person })
  const { key } = await client.mfa.setUp()
  await client.mfa.enrol(codeOf(key))
  await enterConsole(page, { url: product.url, path: `/main/users/list?open=${person._id}` })
  await page.getByRole('dialog').getByRole('link', { name: 'Password Reset / MFA' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Password Reset / MFA: Lwazi')
  await page.getByRole('button', { name: 'Send reset link' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send reset link' }).click()
  await expect(page.getByText('A reset link has been sent to lwazi@portcullis.example.')).toBeVisible()
  await linkMailedTo(mailbox, { email: person.email, page: 'password-reset', count: 2 })
  await expect(page.getByRole('button', { name: 'Send verification email' })).toHaveCount(0)
  await needFreshSignIn(page, `${person._id}/mfaReset`)
  await page.getByRole('button', { name: 'Reset two-factor authentication' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reset two-factor authentication' }).click()
  const question = page.getByRole('dialog', { name: 'Please confirm that it is you' })
  await expectSound(page)
  await question.getByRole('textbox', { name: 'Password' }).fill(administrator.password)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Two-factor authentication of Lwazi was reset.')).toBeVisible()
  expect((await client.me()).mfa.enrolled).toBe(false)
})

test('§4 users/settings: a user with an unconfirmed email can be sent the mail again', async ({ page }) => {
  const person = await addUnverifiedPerson(product, mailbox, { name: 'Mandla', email: 'mandla@portcullis.example' })
  await enterConsole(page, { url: product.url, path: `/main/users/settings?user=${person._id}` })
  await page.getByRole('button', { name: 'Send verification email' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send verification email' }).click()
  await expect(page.getByText('A verification email has been sent to mandla@portcullis.example.')).toBeVisible()
  await linkMailedTo(mailbox, { email: person.email, page: 'email-confirm' })
})

test('§4 users/settings: another user’s settings need the permission to manage users, and are empty for users who do not sign in', async ({
  page,
}) => {
  const person = await addPerson(product, mailbox, {
    name: 'Nandi',
    email: 'nandi@portcullis.example',
    role: 'reportingUser',
  })
  const { _id } = await product.client.of(users).create({ name: 'Only a card' })
  await openSettings(page, person, 'profile')
  await page.goto(`${product.url}/main/users/settings?user=${_id}`)
  await expect(page.getByRole('heading', { name: 'You don’t have access' })).toBeVisible()
  await page.goto(`${product.url}/main/users/settings?user=${person._id}`)
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Nandi')
  await page.context().clearCookies()
  await enterConsole(page, { url: product.url, path: `/main/users/settings?user=${_id}` })
  await expect(page.getByRole('heading', { name: 'This user does not sign in' })).toBeVisible()
})

test('§5 outbox: hyper users see the status of mails; others are sent to the events', async ({ page }) => {
  const person = await addPerson(product, mailbox, { name: 'Olwethu', email: 'olwethu@portcullis.example' })
  await enterConsole(page, { url: product.url })
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Email outbox' }).click()
  await expect(page).toHaveURL(/\/main\/outbox$/)
  const mail = page.getByRole('list', { name: 'Emails' }).getByRole('listitem').filter({ hasText: person.email })
  await expect(mail.first()).toContainText('Sent')
  await expect(page.getByText('the mail server in SMTP_URL')).toBeVisible()
  await expect(mail.getByRole('button')).toHaveCount(0)
  await page.context().clearCookies()
  await openSettings(page, person, 'profile')
  await page.getByRole('button', { name: 'User menu' }).click()
  await expect(page.getByRole('menuitem', { name: 'My profile' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Email outbox' })).toHaveCount(0)
  await page.goto(`${product.url}/main/outbox`)
  await expect(page).toHaveURL(/\/main\/events\/list$/)
})

test('§5 outbox: a refusal by the mail server is shown in its own words', async ({ page }) => {
  mailbox.answer(550, 'No such user')
  try {
    await product.client.of(users).create({ name: 'Sizwe', email: 'sizwe@portcullis.example' })
    await enterConsole(page, { url: product.url, path: '/main/outbox' })
    const mail = page.getByRole('list', { name: 'Emails' }).getByRole('listitem').filter({ hasText: 'sizwe@' })
    await expect(mail).toContainText('Failed')
    await expect(mail).toContainText('1 attempt')
    await expect(mail).toContainText('550 No such user')
  } finally {
    mailbox.answer(250, '')
  }
})

test('§5 outbox: without SMTP_URL it reports this, and offers the link that could not be sent', async ({ page }) => {
  const bare = await openProduct()
  try {
    await enterConsole(page, { url: bare.url, path: '/main/outbox' })
    await expect(page.getByRole('heading', { name: 'No emails yet' })).toBeVisible()
    await bare.client.of(users).create({ name: 'Phumzile', email: 'phumzile@portcullis.example' })
    await returnToTab(page)
    const mail = page.getByRole('list', { name: 'Emails' }).getByRole('listitem')
    await expect(mail).toContainText('Not sent')
    await expect(page.getByText('No mail server is configured')).toBeVisible()
    await mail.getByRole('button', { name: /^Show email/ }).click()
    for (const view of views) {
      await show(page, view)
      await expectSound(page)
    }
    await mail.getByRole('link').click()
    await expect(page).toHaveURL(/\/authentication\/password-reset\//)
    await expect(page.getByRole('textbox', { name: 'New password' })).toBeVisible()
  } finally {
    await bare.stop()
  }
})

test('§4 users/settings: a pending email and a disabled authenticator fit and pass axe', async ({ page }) => {
  const person = await addPerson(product, mailbox, { name: 'Thabo', email: 'thabo@portcullis.example' })
  const { client } = await signedInClient({ baseUrl: product.url, ...person })
  await client.ownAccount.changeEmail({ email: 'thabo.new@portcullis.example' })
  const { key } = await client.mfa.setUp()
  await client.mfa.enrol(codeOf(key))
  await client.mfa.disable()
  await openSettings(page, person, 'profile')
  await expectSoundEverywhere(page)
  await tab(page, 'Two-factor').click()
  await expect(page.getByRole('button', { name: 'Turn on' })).toBeVisible()
  await expectSoundEverywhere(page)
})

async function expectSoundEverywhere(page: Page) {
  await expect(page.getByRole('main').getByRole('heading', { level: 2 }).first()).toBeVisible()
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
  for (const view of views) {
    await show(page, view)
    await expectSound(page)
  }
}

type Tab = 'profile' | 'password' | 'mfa' | 'sessions'

async function openSettings(page: Page, person: Person, which: Tab) {
  await enterConsole(page, { url: product.url, path: `/main/users/settings?tab=${which}`, user: person })
  await expect(page.getByRole('heading', { level: 1, name: 'User settings' })).toBeVisible()
}

/** The same user in another browser. */
async function signedInElsewhere(browser: Browser, person: Person) {
  const context = await browser.newContext()
  await signInByCall(context, { url: product.url, ...person })
  return context.newPage()
}

/** Makes the server's answer to the next request of this call require a recent sign-in. */
async function needFreshSignIn(page: Page, call: string) {
  const error = { code: 'fresh_sign_in_needed', message: 'Please confirm that it is you.', requestId: 'journey' }
  await page.route(`**/api/users/${call}`, (route) => route.fulfill({ status: 403, json: { error } }), { times: 1 })
}

/** Simulates a user who returns to the tab. */
async function returnToTab(page: Page) {
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
}

function tab(page: Page, name: string) {
  return page.getByRole('navigation', { name: 'User settings' }).getByRole('link', { name })
}

function section(page: Page, name: string) {
  return page.getByRole('region', { name, exact: true })
}

function messages(page: Page) {
  return page.getByRole('region', { name: 'Messages' })
}
