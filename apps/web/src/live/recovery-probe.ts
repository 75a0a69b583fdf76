import { backoff } from './backoff.ts'

export const probeTiming = {
  /** maximum time between two probes; jitter shortens it */
  intervalMs: 2_500,
  /** browsers that detect the server at the same time spread their reconnects over this time */
  spreadMs: 2_000,
  /** shorter waits are not probed */
  minWaitMs: 5_000,
} as const

export interface ProbeEdges {
  /** whether the server answers */
  isServerUp(): Promise<boolean>
  random(): number
}

export interface RecoveryProbe {
  /** Probes until the server answers; then calls `onUp` with the ms to wait before reconnecting. */
  start(onUp: (inMs: number) => void): void
  stop(): void
  /** The connection is established: the next wait may be shortened again. */
  connected(): void
}

/**
 * Ends a long backoff wait when the server answers again. A server that answers but refuses connections
 * shortens only one wait, so that backoff continues.
 */
export function createRecoveryProbe({ isServerUp, random }: ProbeEdges): RecoveryProbe {
  let timer: ReturnType<typeof setTimeout> | undefined
  let run = 0
  let mayShorten = true

  const stop = () => {
    run += 1
    clearTimeout(timer)
  }

  const probe = async (current: number, onUp: (inMs: number) => void) => {
    timer = setTimeout(
      () => void probe(current, onUp),
      probeTiming.intervalMs * (1 - backoff.jitter * random()),
    )
    const isUp = await isServerUp()
    if (current !== run) return
    if (!isUp) {
      mayShorten = true
      return
    }
    if (!mayShorten) return
    mayShorten = false
    stop()
    onUp(Math.round(probeTiming.spreadMs * random()))
  }

  return {
    start(onUp) {
      stop()
      void probe(run, onUp)
    },
    stop,
    connected: () => void (mayShorten = true),
  }
}
