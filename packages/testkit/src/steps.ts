import { Session } from 'node:inspector/promises'

export interface StepCounter {
  /** Number of times that blocks of the files are entered while `run` runs. */
  steps(run: () => unknown): Promise<number>
  stop(): void
}

/**
 * Measures work in V8's block counts, which are the same on every machine. V8 counts blocks only in code that
 * it compiles after this call. Call it before anything of these files runs, in a test file named
 * `…cost.test.ts`: those have their own thread.
 */
export async function countSteps(files: RegExp): Promise<StepCounter> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  return {
    async steps(run) {
      await session.post('Profiler.takePreciseCoverage')
      await run()
      const { result } = await session.post('Profiler.takePreciseCoverage')
      return result
        .filter(({ url }) => files.test(url))
        .flatMap(({ functions }) => functions)
        .flatMap(({ ranges }) => ranges)
        .reduce((sum, { count }) => sum + count, 0)
    },
    stop: () => session.disconnect(),
  }
}
