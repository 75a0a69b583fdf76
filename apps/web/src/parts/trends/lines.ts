import { type HistoryTrends, trendPoints } from '@pulse/contract'

/** The level of a minute without a sample. */
export const noLevel = 255
export const highestLevel = trendPoints.levels.length - 1

const levelOf = new Uint8Array(128).fill(noLevel)
for (const [level, character] of [...trendPoints.levels].entries()) levelOf[character.charCodeAt(0)] = level

/** The last hour of all things of a kind. */
export interface Trends {
  /** the position of each thing, by id */
  rows: ReadonlyMap<string, number>
  /** by field: thing after thing, a level for each minute */
  levels: ReadonlyMap<string, Uint8Array>
}

export const readTrends = ({ ids, fields }: HistoryTrends): Trends => ({
  rows: new Map(ids.map((id, row) => [id, row])),
  levels: new Map(Object.entries(fields).map(([field, { points }]) => [field, readLevels(points)])),
})

/** Unknown characters are minutes without a sample. */
function readLevels(points: string): Uint8Array {
  const levels = new Uint8Array(points.length)
  for (let at = 0; at < points.length; at++) levels[at] = levelOf[points.charCodeAt(at)] ?? noLevel
  return levels
}

/** A level for each minute of the last hour; undefined for something without history. */
export function levelsOf({ rows, levels }: Trends, id: string, field: string): Uint8Array | undefined {
  const row = rows.get(id)
  if (row === undefined) return undefined
  return levels.get(field)?.subarray(row * trendPoints.minutes, (row + 1) * trendPoints.minutes)
}
