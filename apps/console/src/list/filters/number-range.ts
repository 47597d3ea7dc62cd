export type NumberRange = { from?: number; to?: number }

/** Both ends of a range of numbers belong to it: `5..10`, `5..`, `..10`; `7` is that number alone. */
export function numberRange(value: string): NumberRange | undefined {
  const [, first = '', dots = '', last = ''] = /^(-?\d{1,15})?(\.\.)?(-?\d{1,15})?$/.exec(value) ?? []
  if (dots === '') return first === '' || last !== '' ? undefined : { from: Number(first), to: Number(first) }
  if (first === '' && last === '') return undefined
  if (first !== '' && last !== '' && Number(first) > Number(last)) return undefined
  return { ...(first === '' ? {} : { from: Number(first) }), ...(last === '' ? {} : { to: Number(last) }) }
}

/** How a range stands in an address; nothing where it has no end. */
export function numberRangeValue({ from, to }: NumberRange): string | undefined {
  if (from === undefined && to === undefined) return undefined
  return from === to ? String(from) : `${from ?? ''}..${to ?? ''}`
}
