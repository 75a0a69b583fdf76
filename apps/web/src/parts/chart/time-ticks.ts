import { formatAxisTime } from '../../lib/format.ts'

/** Half of a character of the axis, at 11 px. */
const halfCharacterPx = 3.2

/** The times below a chart. A text that would not fit before its edge is left out, because the edge would cut it off. */
export const timeTicks = (
  times: readonly number[],
  spanMs: number,
  roomAfter: (time: number) => number,
): string[] =>
  times.map((time) => {
    const text = formatAxisTime(time, spanMs)
    return text.length * halfCharacterPx <= roomAfter(time) ? text : ''
  })
