import { useSyncExternalStore } from 'react'

/** `essential`: only what the product needs or the user requested. `all`: also conveniences. */
export type CookieAnswer = 'essential' | 'all'

/** Prefixes of the stored keys that are conveniences: they need consent. */
export const remembered = { choices: 'recent:', places: 'palette:' } as const

const name = 'cookies'
const listeners = new Set<() => void>()
/** For browsers without storage: until the page is left. */
let answered: CookieAnswer | undefined
let isReopened = false

/** Whether the user has agreed to the storage of conveniences. */
export function mayRemember(): boolean {
  return cookieAnswer() === 'all'
}

/** Stores the answer; withdrawing consent deletes everything stored with it. */
export function answerCookies(answer: CookieAnswer) {
  answered = answer
  isReopened = false
  try {
    localStorage.setItem(name, answer)
    if (answer === 'essential') for (const storage of [localStorage, sessionStorage]) forgetIn(storage)
  } catch {
    // A browser without storage asks again on the next page.
  }
  notify()
}

/** Asks again, so that consent is withdrawn as easily as it was given. */
export function askAboutCookies() {
  isReopened = true
  notify()
}

/** Whether to ask: there is no answer yet, or the user wants to change it. */
export function useCookieQuestion(): boolean {
  return useSyncExternalStore(listen, isOpen)
}

function isOpen() {
  return isReopened || cookieAnswer() === undefined
}

function cookieAnswer(): CookieAnswer | undefined {
  try {
    const stored = localStorage.getItem(name)
    return stored === 'all' || stored === 'essential' ? stored : answered
  } catch {
    return answered
  }
}

function forgetIn(storage: Storage) {
  for (const key of Object.keys(storage)) {
    if (Object.values(remembered).some((beginning) => key.startsWith(beginning))) storage.removeItem(key)
  }
}

/** An answer in another tab also applies here. */
function listen(listener: () => void) {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

function notify() {
  for (const listener of listeners) listener()
}
