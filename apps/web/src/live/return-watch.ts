import { backoff } from './backoff.ts'

export const returnTiming = {
  /** between two looks at most; jitter shortens it as it does the waits */
  lookMs: 2_500,
  /** those who saw the server in one instant come back over this time */
  spreadMs: 2_000,
  /** a shorter wait is not worth a look */
  worthMs: 5_000,
} as const

export interface ReturnEdges {
  /** whether the server answers at all */
  answers(): Promise<boolean>
  random(): number
}

export interface ReturnWatch {
  /** While a long wait goes on. `onBack` says in how many ms it may end. */
  begin(onBack: (inMs: number) => void): void
  end(): void
  /** A connection stands: the next loss is another one. */
  connected(): void
}

/**
 * Looks whether a server that was away answers again, so that nobody sits out a long wait in front of it. One that
 * answers all the time and only refuses the connection shortens a single wait: back-off goes on as it should.
 */
export function createReturnWatch({ answers, random }: ReturnEdges): ReturnWatch {
  let timer: ReturnType<typeof setTimeout> | undefined
  let round = 0
  let mayShorten = true

  const end = () => {
    round += 1
    clearTimeout(timer)
  }

  const look = async (mine: number, onBack: (inMs: number) => void) => {
    timer = setTimeout(() => void look(mine, onBack), returnTiming.lookMs * (1 - backoff.jitter * random()))
    const isUp = await answers()
    if (mine !== round) return
    if (!isUp) {
      mayShorten = true
      return
    }
    if (!mayShorten) return
    mayShorten = false
    end()
    onBack(Math.round(returnTiming.spreadMs * random()))
  }

  return {
    begin(onBack) {
      end()
      void look(round, onBack)
    },
    end,
    connected: () => void (mayShorten = true),
  }
}
