// Sends the forms of the page to the control server, and keeps its content current. The server writes the content.

const everyMs = 1_000
/** In the storage of this tab, which pages of other origins cannot read, unlike a cookie. */
const tokenKey = 'token'

const content = byId('content')
const tokenForm = formById('token-form')
/** The markup of each region, as the server last sent it. @type {ReadonlyMap<string, string>} */
let shown = new Map()
let isRefreshing = false

takeToken()
addEventListener('hashchange', takeToken)
document.addEventListener('submit', (event) => {
  event.preventDefault()
  const { target: form, submitter } = event
  if (form === tokenForm) keepToken(fieldIn('#token-form [name=token]')?.value ?? '')
  else if (form instanceof HTMLFormElement && form.hasAttribute('action')) void send(form, submitter)
})
document.addEventListener('input', arrange)
document.addEventListener('visibilitychange', () => void refresh())
setInterval(() => void refresh(), everyMs)

/** The address of the page may contain the token, which it then keeps out of the browser's history. */
function takeToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  if (token === null) return void refresh()
  history.replaceState(null, '', location.pathname + location.search)
  keepToken(token)
}

/** @param {string} token */
function keepToken(token) {
  sessionStorage.setItem(tokenKey, token)
  announce('')
  void refresh()
}

async function refresh() {
  const hasToken = sessionStorage.getItem(tokenKey) !== null
  tokenForm.hidden = hasToken
  if (!hasToken || isRefreshing || document.visibilityState === 'hidden') return
  isRefreshing = true
  try {
    const response = await call(`page${location.search}`)
    if (response?.ok) show(await response.text())
  } finally {
    isRefreshing = false
  }
}

/**
 * Undefined without an answer, which the status line then reports.
 * @param {string} path @param {unknown} [body]
 */
async function call(path, body) {
  const headers = { authorization: `Bearer ${sessionStorage.getItem(tokenKey)}` }
  const method = body === undefined ? 'GET' : 'POST'
  try {
    const response = await fetch(path, { method, headers, body: JSON.stringify(body) })
    if (response.status === 401) forgetToken()
    document.body.classList.remove('stale')
    return response
  } catch {
    document.body.classList.add('stale')
    announce('The virtual controllers do not answer. If they have started again, open the address that they printed.')
    return undefined
  }
}

function forgetToken() {
  sessionStorage.removeItem(tokenKey)
  tokenForm.hidden = false
  content.replaceChildren()
  shown = new Map()
  announce('The token is wrong. Virtual controllers that start again have a new one.')
}

/** @param {HTMLFormElement} form @param {HTMLElement | null} submitter */
async function send(form, submitter) {
  announce(form.dataset.pending ?? 'Sending…')
  const response = await call(form.getAttribute('action') ?? '', valuesOf(new FormData(form, submitter)))
  if (!response) return
  const answer = await response.json()
  const done = submitter?.dataset.done ?? form.dataset.done ?? ''
  if (response.status !== 401) announce(String(answer.error ?? answer.sentence ?? done), { isError: !response.ok })
  if (response.ok) for (const field of form.querySelectorAll('[name=pin], #enrolment input')) clear(field)
  await refresh()
}

/** The fields by name. A name ends with its type, unless it is a text; empty texts are left out. @param {FormData} data */
function valuesOf(data) {
  /** @type {Record<string, unknown>} */
  const values = {}
  for (const [field, text] of data) {
    const [name = '', type] = field.split(':')
    if (type === 'boolean') values[name] = text !== ''
    else if (type === 'number') values[name] = Number(text)
    else if (type === 'seconds') values[name] = Math.round(Number(text) * 1_000)
    else if (text !== '') values[name] = text
  }
  return values
}

/** @param {string} markup */
function show(markup) {
  const next = new DOMParser().parseFromString(markup, 'text/html')
  const regions = [...next.querySelectorAll('[data-region]')]
  const markups = new Map(regions.map((region) => [region.id, region.outerHTML]))
  const isSamePage = [...markups.keys()].join() === [...shown.keys()].join()
  if (isSamePage) {
    for (const region of regions) if (shown.get(region.id) !== markups.get(region.id)) replace(region)
  } else {
    content.replaceChildren(...next.body.childNodes)
    content.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }
  shown = markups
  arrange()
}

/** Keeps the focus, or moves it to the next button if its element is gone. @param {Element} region */
function replace(region) {
  const old = byId(region.id)
  const focused = old.contains(document.activeElement) ? document.activeElement : null
  old.replaceWith(region)
  if (!focused) return
  const heir = document.getElementById(focused.id) ?? region.querySelector('button')
  heir?.focus({ preventScroll: true })
}

/** Shows the controllers that match the search, and the fields that the credential needs. */
function arrange() {
  const search = fieldIn('#find [name=find]')?.value.trim().toLowerCase() ?? ''
  for (const entry of document.querySelectorAll('#controllers > li')) {
    entry.toggleAttribute('hidden', !entry.textContent?.toLowerCase().includes(search))
  }
  const kind = fieldIn('#present [name=kind]')?.value ?? ''
  const number = fieldIn('#present [name=number]')
  const pin = fieldIn('#present [name=pin]')
  if (!number || !pin) return
  const isPinAlone = kind === 'pin'
  number.disabled = isPinAlone
  number.closest('label')?.toggleAttribute('hidden', isPinAlone)
  pin.required = isPinAlone
}

/** @param {string} selector */
function fieldIn(selector) {
  const field = document.querySelector(selector)
  return field instanceof HTMLInputElement || field instanceof HTMLSelectElement ? field : undefined
}

/** @param {Element} field */
function clear(field) {
  if (field instanceof HTMLInputElement) field.value = ''
}

/** @param {string} sentence @param {{ isError?: boolean }} [options] */
function announce(sentence, { isError = false } = {}) {
  const status = byId('status')
  status.textContent = sentence
  status.classList.toggle('error', isError)
}

/** @param {string} id */
function formById(id) {
  const form = byId(id)
  if (!(form instanceof HTMLFormElement)) throw new Error(`"${id}" is not a form.`)
  return form
}

/** @param {string} id */
function byId(id) {
  const element = document.getElementById(id)
  if (!element) throw new Error(`There is no element "${id}".`)
  return element
}
