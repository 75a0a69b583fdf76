import type { Alert } from '@pulse/contract'

/** Parameters that end the history at a moment of the past. */
export const untilMoment = (moment: number | undefined) =>
  moment === undefined ? {} : { endTime: new Date(moment).toISOString() }

/** The stored history at a moment of the past: some alerts were not resolved yet. */
export function asOf<E extends Alert & { endTime?: string | undefined }>(
  history: readonly E[],
  moment: number | undefined,
): { ongoing: readonly E[]; entries: readonly E[] } {
  if (moment === undefined) return { ongoing: [], entries: history }
  const isOver = ({ endTime }: E) => endTime !== undefined && Date.parse(endTime) <= moment
  return { ongoing: history.filter((one) => !isOver(one)), entries: history.filter(isOver) }
}
