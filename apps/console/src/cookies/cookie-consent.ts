import { useSyncExternalStore } from 'react'

/** `essential`: only what is needed or was asked for. `all`: also what the person would not miss until it is offered. */
export type CookieAnswer = 'essential' | 'all'

/** What this browser remembers for convenience alone, by the beginning of its names in the storage: only with consent. */
export const remembered = { choices: 'recent:', places: 'palette:' } as const

const name = 'cookies'
const listeners = new Set<() => void>()
/** For browsers that keep nothing: until the page is left. */
let answered: CookieAnswer | undefined
let isAskedAgain = false

/** Whether the person has agreed that the browser remembers what nobody asked it to. */
export function mayRemember(): boolean {
  return cookieAnswer() === 'all'
}

/** Keeps the answer; whoever takes their consent back leaves nothing behind. */
export function answerCookies(answer: CookieAnswer) {
  answered = answer
  isAskedAgain = false
  try {
    localStorage.setItem(name, answer)
    if (answer === 'essential') for (const storage of [localStorage, sessionStorage]) forgetIn(storage)
  } catch {
    // A browser that keeps nothing has kept none, and asks again in the next page.
  }
  tell()
}

/** Asks again, so that consent is taken back as easily as it was given. */
export function askAboutCookies() {
  isAskedAgain = true
  tell()
}

/** Whether there is something to ask: there is no answer yet, or the person wants to change it. */
export function useCookieQuestion(): boolean {
  return useSyncExternalStore(listen, isOpen)
}

function isOpen() {
  return isAskedAgain || cookieAnswer() === undefined
}

function cookieAnswer(): CookieAnswer | undefined {
  try {
    const kept = localStorage.getItem(name)
    return kept === 'all' || kept === 'essential' ? kept : answered
  } catch {
    return answered
  }
}

function forgetIn(storage: Storage) {
  for (const key of Object.keys(storage)) {
    if (Object.values(remembered).some((beginning) => key.startsWith(beginning))) storage.removeItem(key)
  }
}

/** An answer in another tab is an answer here. */
function listen(heard: () => void) {
  listeners.add(heard)
  window.addEventListener('storage', heard)
  return () => {
    listeners.delete(heard)
    window.removeEventListener('storage', heard)
  }
}

function tell() {
  for (const heard of listeners) heard()
}
