import { realClock } from '../edges.ts'
import { pause } from '../timing/pause.ts'
import type { ClusterProcess } from './cluster.ts'

const againMs = 1_000

/** Starts processes again that have ended, as a service manager does. */
export interface ServiceManager {
  kill(process: ClusterProcess, downMs: number): Promise<void>
  /** the ends that no fault has caused */
  crashes: string[]
  /** starts that failed, such as without a database; they were repeated */
  failedStarts: string[]
}

export function manage(processes: readonly ClusterProcess[], signal: AbortSignal): ServiceManager {
  const crashes: string[] = []
  const failedStarts: string[] = []
  /** being killed or started */
  const underWay = new Set<ClusterProcess>()

  async function startAgain(process: ClusterProcess, downMs: number) {
    await pause(realClock, downMs, signal)
    while (!signal.aborted) {
      try {
        await process.start()
        break
      } catch (error) {
        failedStarts.push((error as Error).message.slice(0, 500))
        await pause(realClock, againMs, signal)
      }
    }
    underWay.delete(process)
  }

  for (const process of processes)
    process.onExit((how) => {
      if (underWay.has(process) || signal.aborted) return
      crashes.push(`${process.name} ended with ${how}: ${process.output().slice(-1_000)}`)
      underWay.add(process)
      void startAgain(process, againMs)
    })

  return {
    crashes,
    failedStarts,
    async kill(process, downMs) {
      underWay.add(process)
      await process.kill()
      await startAgain(process, downMs)
    },
  }
}
