import type { Estate } from './estate.ts'
import { waitPercentile } from './figures.ts'
import { watchProcess } from './process.ts'

/** Work of the server during a measurement. */
export async function watched<T>(estate: Estate, work: () => Promise<T>) {
  await estate.loop()
  const spent = watchProcess(estate.serverPid)
  const result = await work()
  const seen = spent.end()
  const { blocks, ms } = await estate.loop()
  return { ...seen, result, longestBlockMs: Math.max(...blocks), waitP99Ms: waitPercentile(blocks, ms, 0.99) }
}
