const id = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/

/**
 * The same screen and query for another account, without the parts that name items of the account being left: an open item,
 * and filters by an item (specification §4). `place` is a path below the account, such as `/users/list`.
 */
export function placeElsewhere(place: string, query: string): string {
  const screen = new RegExp(`/${id.source}$`).test(place) ? place.slice(0, place.lastIndexOf('/')) : place
  const parameters = [...new URLSearchParams(query)].filter(([name, value]) => name !== 'open' && !id.test(value))
  const search = new URLSearchParams(parameters).toString()
  return search === '' ? screen : `${screen}?${search}`
}
