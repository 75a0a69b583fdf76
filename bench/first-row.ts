import { percentile } from './figures.ts'

/** Enough that one or two slow outliers do not change the median. */
export const NAVIGATIONS = 9

/** After all earlier measurements have ended, so that every server has the same age. */
export const SERVER_AGE_S = 300

interface Edges {
  /** uptime of the server in seconds */
  age(): Promise<number>
  pause(ms: number): Promise<void>
  /** opens the page with an empty cache; ms until its first row */
  navigate(): Promise<number>
}

/** The median of some navigations to a server of a fixed age. */
export async function medianFirstRowMs({ age, pause, navigate }: Edges): Promise<number> {
  const already = await age()
  if (already > SERVER_AGE_S) throw new Error(`not measured: the server is ${already} s old already`)
  await pause((SERVER_AGE_S - already) * 1000)
  const times: number[] = []
  for (let n = 0; n < NAVIGATIONS; n++) times.push(await navigate())
  return percentile(times, 0.5)
}
