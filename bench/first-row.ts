import { percentile } from './figures.ts'

/** Enough that one or two slow outliers do not change the median. */
export const NAVIGATIONS = 9

/** After all earlier measurements have ended, so that every server has the same age. */
export const SERVER_AGE_S = 300

interface Edges {
  /** uptime of the servers in seconds */
  ages(): Promise<number[]>
  pause(ms: number): Promise<void>
  /** opens the page of a server with an empty cache; ms until its first row */
  navigate(server: number): Promise<number>
}

/** The median of some navigations to each server, by turns. The youngest server has a fixed age. */
export async function medianFirstRowsMs({ ages, pause, navigate }: Edges): Promise<number[]> {
  const already = await ages()
  const least = Math.min(...already)
  if (least > SERVER_AGE_S) throw new Error(`not measured: the server is ${least} s old already`)
  await pause((SERVER_AGE_S - least) * 1000)
  const times = already.map((): number[] => [])
  for (let n = 0; n < NAVIGATIONS; n++)
    for (const server of inTurn(times.length, n)) times[server]!.push(await navigate(server))
  return times.map((some) => percentile(some, 0.5))
}

/** The numbers below `count`, in each second round from the end: otherwise one of two always follows the other. */
export function inTurn(count: number, round: number): number[] {
  const order = Array.from({ length: count }, (_, n) => n)
  return round % 2 === 0 ? order : order.toReversed()
}
