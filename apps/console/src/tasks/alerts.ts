import { useSyncExternalStore } from 'react'
import { z } from 'zod'
import { text } from '../text/text.ts'
import type { Request } from './request.ts'

const alerts = z.object({ sound: z.boolean(), browser: z.boolean() })
export type Alerts = z.output<typeof alerts>

const name = 'remote-access-alerts'
const off: Alerts = { sound: false, browser: false }
const listeners = new Set<() => void>()
let current: Alerts | undefined

/** How this browser announces requests, by sound or by notification: not at all, until the user turns it on. */
export function useAlerts(): Alerts {
  return useSyncExternalStore(subscribe, alertsNow)
}

export function setAlerts(changes: Partial<Alerts>) {
  current = { ...alertsNow(), ...changes }
  try {
    localStorage.setItem(name, JSON.stringify(current))
  } catch {
    // Without storage, it applies to this page only.
  }
  for (const listener of listeners) listener()
}

/** Asks the browser's user for permission; returns whether they gave it. */
export async function askForBrowserAlerts(): Promise<boolean> {
  if (!('Notification' in window)) return false
  return (await Notification.requestPermission()) === 'granted'
}

/** Announces a request as configured in this browser; `onPress` runs when its notification is pressed. */
export function callFor({ _id, userName, doorName, siteName }: Request, onPress: () => void) {
  const { sound, browser } = alertsNow()
  if (sound) chime()
  // Users who look at the page see the toast there.
  if (!browser || document.visibilityState === 'visible' || !('Notification' in window)) return
  if (Notification.permission !== 'granted') return
  const body = text('remote.userAtDoor', { user: userName, door: doorName, site: siteName })
  const shown = new Notification(text('remote.newRequest'), { body, tag: _id })
  shown.addEventListener('click', () => {
    window.focus()
    shown.close()
    onPress()
  })
}

/** Two short tones, rising. A browser that needs a press first stays silent. */
export function chime() {
  const context = new AudioContext()
  const end = tones.reduce((at, hertz) => {
    const tone = context.createOscillator()
    const volume = context.createGain()
    tone.frequency.value = hertz
    volume.gain.setValueAtTime(0.15, at)
    volume.gain.exponentialRampToValueAtTime(0.001, at + toneSeconds)
    tone.connect(volume).connect(context.destination)
    tone.start(at)
    tone.stop(at + toneSeconds)
    if (hertz === tones.at(-1)) tone.addEventListener('ended', () => void context.close())
    return at + toneSeconds
  }, context.currentTime)
  return end
}

const tones = [660, 880]
const toneSeconds = 0.18

function alertsNow(): Alerts {
  current ??= readStored()
  return current
}

function readStored(): Alerts {
  try {
    return alerts.parse(JSON.parse(localStorage.getItem(name) ?? ''))
  } catch {
    return off
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
