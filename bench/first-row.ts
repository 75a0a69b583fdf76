import { percentile } from './figures.ts'

/** So many that one or two that something else has slowed down decide nothing. */
export const NAVIGATIONS = 9

/** Later than all that is measured before has ended, so that every server is opened at the same age. */
export const SERVER_AGE_S = 300

interface Edges {
  /** s that the server has been running */
  age(): Promise<number>
  pause(ms: number): Promise<void>
  /** opens the page as for the first time; ms until its first row was there */
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
