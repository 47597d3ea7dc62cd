import { doors } from '@portcullis/contract/collections/doors'
import { holidays } from '@portcullis/contract/collections/holidays'
import { rules } from '@portcullis/contract/collections/rules'
import { schedules } from '@portcullis/contract/collections/schedules'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { userGroups } from '@portcullis/contract/collections/user-groups'
import { users } from '@portcullis/contract/collections/users'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { holding } from '../routes/test-answers.ts'
import { openConsole } from '../routes/test-app.tsx'

test('§2 password-reset: the same screen is the Change Password modal, with a close button', async () => {
  const shown = [doors, holidays, rules, schedules, sites, units, userGroups, users]
  const { user } = await openConsole('parts', { answers: shown.map((of) => holding(of, [])) })
  await user.click(await screen.findByRole('button', { name: 'Change a password' }))
  const modal = await screen.findByRole('dialog', { name: 'Change Password' })
  for (const name of ['New password', 'Confirm password']) {
    await user.type(within(modal).getByLabelText(name), 'Administrator')
  }
  const strength = await within(modal).findByRole('status', { name: 'Password strength' })
  await waitFor(() => expect(strength.textContent).toMatch(/easy to guess/))
  expect(within(modal).getByRole('button', { name: 'Reset Password' })).toHaveProperty('disabled', true)
  expect(within(modal).queryByText('Resend Link')).toBeNull()
  await user.click(within(modal).getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Change Password' })).toBeNull())
})
