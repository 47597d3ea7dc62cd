/** Draws the document of the calls: a list to search, each call opened to its parameters, bodies and refusals. */
const found = document.querySelector('#found')
try {
  const answer = await fetch('/api/openapi.json')
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`)
  draw(await answer.json())
} catch (error) {
  found.textContent = `The document could not be read. ${error.message} Reload the page to try again.`
}

function draw(api) {
  document.querySelector('#about').append(...prose(api.info.description))
  const calls = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ path, method: method.toUpperCase(), ...call })),
  )
  const sections = api.tags.map(({ name }) => sectionOf(name))
  document.querySelector('#operations').append(...sections.map(({ section }) => section))
  document
    .querySelector('#tags')
    .append(...sections.map(({ section, name }) => make('li', make('a', { href: `#${section.id}` }, name))))

  const search = document.querySelector('#search')
  search.addEventListener('input', show)
  show()
  openNamed()
  addEventListener('hashchange', openNamed)

  function sectionOf(name) {
    const entries = calls.filter(({ tags }) => tags.includes(name)).map((call) => ({ call, details: detailsOf(call) }))
    const heading = make('h2', { id: `heading-${name}` }, name)
    const attributes = { id: `tag-${name}`, 'aria-labelledby': heading.id }
    return { name, entries, section: make('section', attributes, heading, ...entries.map(({ details }) => details)) }
  }

  /** A call is drawn when it is first opened: there are many, and few are read. */
  function detailsOf(call) {
    const line = make('summary', make('b', call.method), make('code', call.path), make('span', call.summary))
    const details = make('details', { id: call.operationId }, line)
    details.addEventListener('toggle', () => details.append(bodyOf(call, api)), { once: true })
    return details
  }

  function show() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
    let count = 0
    for (const { section, entries } of sections) {
      let isEmpty = true
      for (const { call, details } of entries) {
        const text = `${call.method} ${call.path} ${call.summary} ${call.operationId}`.toLowerCase()
        details.hidden = !words.every((word) => text.includes(word))
        if (details.hidden) continue
        isEmpty = false
        count += 1
      }
      section.hidden = isEmpty
    }
    found.textContent = count === 1 ? '1 call' : `${count} calls`
  }

  function openNamed() {
    const named = document.getElementById(decodeURIComponent(location.hash.slice(1)))
    if (!(named instanceof HTMLDetailsElement)) return
    named.open = true
    named.scrollIntoView()
  }
}

function bodyOf(call, api) {
  const resolve = (value) => resolved(value, api)
  const parameters = (call.parameters ?? []).map(resolve)
  const body = call.requestBody?.content['application/json']?.schema
  const answers = Object.entries(call.responses)
  const success = answers.find(([status]) => status < 400)?.[1]
  const types = Object.entries(success?.content ?? {})
  return make(
    'div',
    { class: 'call' },
    ...(call.description ? [make('p', ...prose(call.description))] : []),
    make('p', call.security?.length === 0 ? 'Open to anybody.' : 'Needs a session.'),
    ...(parameters.length > 0 ? [make('h3', 'Parameters'), parameterTable(parameters)] : []),
    ...(body ? [make('h3', 'Body'), ...schemaParts(body, resolve)] : []),
    make('h3', 'Example'),
    code(requestText(call, { parameters, body, resolve })),
    make('h3', 'Answers'),
    answerTable(answers),
    ...types.flatMap(([type, { schema }]) => [make('h3', `Success, ${type}`), ...schemaParts(schema, resolve)]),
  )
}

function parameterTable(parameters) {
  const rows = parameters.map(({ name, in: place, required, description, schema, content }) => {
    const inner = schema ?? content['application/json'].schema
    const type = `${schema ? '' : 'JSON: '}${typeText(inner)}`
    return [make('code', name), `${place}${required ? ', required' : ''}`, type, description ?? '']
  })
  return table(['Name', 'Where', 'Type', 'Meaning'], rows)
}

function answerTable(answers) {
  return table(
    ['Status', 'Meaning'],
    answers.map(([status, { description }]) => [status, description]),
  )
}

/** The fields of an object as a table, and a value of the schema as an example. */
function schemaParts(schema, resolve) {
  const whole = resolve(schema)
  const example = code(JSON.stringify(sample(schema, { resolve, depth: 0 }), null, 2))
  if (!whole.properties) return [make('p', typeText(schema)), example]
  const rows = Object.entries(whole.properties).map(([name, field]) => [
    make('code', name),
    whole.required?.includes(name) ? 'always' : 'optional',
    typeText(field),
    [meaningOf(field), field.default === undefined ? '' : `Initially ${JSON.stringify(field.default)}.`]
      .filter(Boolean)
      .join(' '),
  ])
  return [table(['Field', 'There', 'Type', 'Meaning'], rows), example]
}

function typeText(schema) {
  const { $ref, type, items, anyOf, allOf, enum: values, format, const: constant } = schema
  if (constant !== undefined) return JSON.stringify(constant)
  if ($ref) return $ref.split('/').at(-1)
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ')
  if (anyOf) return anyOf.map((one) => typeText(one)).join(' | ')
  if (allOf) return allOf.map((one) => typeText(one)).join(' & ')
  if (type === 'array') return `array of ${typeText(items ?? {})}`
  const bounds = [boundText(schema, ['minimum', 'maximum']), boundText(schema, ['minLength', 'maxLength'])]
  return [[type ?? 'anything'].flat().join(' | '), format, ...bounds].filter(Boolean).join(', ')
}

function boundText(schema, [least, most]) {
  if (schema[least] === undefined && schema[most] === undefined) return ''
  return `${schema[least] ?? ''}…${schema[most] ?? ''}`
}

const texts = {
  uuid: '01900000-0000-7000-8000-000000000001',
  'date-time': '2026-03-14T09:30:00.000Z',
  email: 'maria@example.com',
}

/** A value that the schema describes; deep and recursive ones end. */
function sample(schema, { resolve, depth }) {
  if (depth > 6) return null
  const deeper = (inner) => sample(inner, { resolve, depth: depth + 1 })
  const whole = resolve(schema)
  if (whole.examples) return whole.examples[0]
  if (whole.const !== undefined) return whole.const
  if (whole.default !== undefined) return whole.default
  if (whole.enum) return whole.enum[0]
  if (whole.anyOf) return deeper(whole.anyOf[0])
  const type = [whole.type].flat()[0]
  if (type === 'array') return depth > 4 ? [] : [deeper(whole.items ?? {})]
  if (type === 'object') {
    return Object.fromEntries(Object.entries(whole.properties ?? {}).map(([name, field]) => [name, deeper(field)]))
  }
  if (type === 'integer' || type === 'number') return Math.max(whole.minimum ?? 1, 1)
  if (type === 'boolean') return true
  return type === 'string' ? (texts[whole.format] ?? 'text') : null
}

function requestText({ method, path }, { parameters, body, resolve }) {
  const headers = parameters
    .filter((one) => one.in === 'header' && one.required)
    .map(({ name, example }) => `${name}: ${example ?? ''}`)
  const needed = parameters.filter((one) => one.in === 'query' && one.required)
  const query = needed.map(({ name, schema, content }) => {
    const value = sample(schema ?? content['application/json'].schema, { resolve, depth: 0 })
    return `${name}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`
  })
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === 'token' ? 'TOKEN' : texts.uuid))
  const first = `${method} ${address}${query.length > 0 ? `?${query.join('&')}` : ''}`
  if (!body) return [first, ...headers].join('\n')
  const text = JSON.stringify(sample(body, { resolve, depth: 0 }), null, 2)
  return [first, ...headers, 'Content-Type: application/json', '', text].join('\n')
}

/** What a reference stands for, in the document itself. */
function resolved(value, api) {
  if (!value.$ref) return value
  return value.$ref
    .slice(2)
    .split('/')
    .reduce((node, name) => node[name], api)
}

function meaningOf({ description, anyOf = [] }) {
  return description ?? anyOf.find((one) => one.description)?.description
}

/** Text in which backticks hold what is code. */
function prose(text) {
  return text.split('`').map((piece, index) => (index % 2 === 1 ? make('code', piece) : piece))
}

function table(titles, rows) {
  const head = make('tr', ...titles.map((title) => make('th', { scope: 'col' }, title)))
  const lines = rows.map((cells) =>
    make('tr', ...cells.map((cell) => make('td', ...(typeof cell === 'string' ? prose(cell) : [cell])))),
  )
  return make('div', { class: 'table', tabindex: '0' }, make('table', make('thead', head), make('tbody', ...lines)))
}

/** Code may be wider than the page; who uses the keyboard must be able to scroll it. */
function code(text) {
  return make('pre', { tabindex: '0' }, make('code', text))
}

function make(name, ...parts) {
  const element = document.createElement(name)
  for (const part of parts) {
    if (typeof part === 'string' || part instanceof Node) element.append(part)
    else for (const [key, value] of Object.entries(part)) element.setAttribute(key, value)
  }
  return element
}
