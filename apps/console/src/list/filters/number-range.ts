export type NumberRange = { from?: number; to?: number }

/** Both ends of a range of numbers belong to it: `5..10`, `5..`, `..10`; `7` is that number alone. */
export function numberRange(value: string): NumberRange | undefined {
  const [, first = '', dots = '', last = ''] = /^(-?\d{1,15})?(\.\.)?(-?\d{1,15})?$/.exec(value) ?? []
  if (dots === '') return first === '' || last !== '' ? undefined : { from: Number(first), to: Number(first) }
  return ordered({
    ...(first === '' ? {} : { from: Number(first) }),
    ...(last === '' ? {} : { to: Number(last) }),
  })
}

/** The range if it has an end, and its ends are in order. */
function ordered({ from, to }: NumberRange): NumberRange | undefined {
  if (from === undefined) return to === undefined ? undefined : { to }
  if (to === undefined) return { from }
  return from > to ? undefined : { from, to }
}

/** A range as written in an address; undefined where it has no end. */
export function numberRangeValue({ from, to }: NumberRange): string | undefined {
  if (from === undefined && to === undefined) return undefined
  return from === to ? String(from) : `${from ?? ''}..${to ?? ''}`
}
