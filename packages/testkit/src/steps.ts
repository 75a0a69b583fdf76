import { Session } from 'node:inspector/promises'

export interface StepCounter {
  /** How often blocks of the files are entered while `run` runs. */
  steps(run: () => unknown): Promise<number>
  stop(): void
}

/**
 * Work as the engine counts it, the same on every machine. Only what is compiled after this call is counted by block, so
 * it stands before anything of these files has run, in a test file named `…cost.test.ts`: those have a thread of their own.
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
