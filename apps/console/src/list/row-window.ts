/** A row that is drawn, and the height of what is left out before it. */
export type DrawnRow = { index: number; gapPx: number }

type Asked = {
  count: number
  /** Heights of rows that were drawn before, by their places. */
  heights: ReadonlyMap<number, number>
  /** The height of a row that nobody has seen yet. */
  usualPx: number
  /** The part of the list that is in sight, from its own top. */
  fromPx: number
  toPx: number
  /** A row that stays drawn wherever it is: the one that has the focus. */
  kept?: number | undefined
}

/** Which rows of a long list to draw, so that what is in sight is there, and the height of what comes after the last of them. */
export function rowWindow({ count, heights, usualPx, fromPx, toPx, kept }: Asked): {
  rows: DrawnRow[]
  afterPx: number
} {
  const rows: DrawnRow[] = []
  let [top, gapPx] = [0, 0]
  for (let index = 0; index < count; index += 1) {
    const height = heights.get(index) ?? usualPx
    const isInSight = top + height > fromPx && top < toPx
    if (isInSight || index === kept) {
      rows.push({ index, gapPx })
      gapPx = 0
    } else {
      gapPx += height
    }
    top += height
  }
  return { rows, afterPx: gapPx }
}

/** Where a row stands, from the top of the list. */
export function rowTop(index: number, { heights, usualPx }: Pick<Asked, 'heights' | 'usualPx'>): number {
  let top = 0
  for (let before = 0; before < index; before += 1) top += heights.get(before) ?? usualPx
  return top
}
