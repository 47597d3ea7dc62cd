/** The tabs of the user's own settings, by their names in the address; My profile is the first. */
export const settingsTabs = ['profile', 'password', 'mfa', 'sessions'] as const
export type SettingsTab = (typeof settingsTabs)[number]

export function settingsTab(named: string | undefined): SettingsTab {
  return settingsTabs.find((tab) => tab === named) ?? 'profile'
}
