/**
 * How much answers that are still coming in may hold together. Each may hold what is usual for it; only a few at a
 * time may hold more, and the others are read on when one of these has ended. So a dozen hosts that send without end
 * cost no more memory than two.
 */
export interface Ballast {
  /** An answer begins. `pause` stops its reading, `resume` lets it go on. */
  open(usualBytes: number, reading: { pause: () => void; resume: () => void }): Holding
  readonly heldBytes: number
}

export interface Holding {
  grow(bytes: number): void
  /** It has ended, or was given up. */
  release(): void
}

export function createBallast(mostLarge: number): Ballast {
  const large = new Set<Holding>()
  const waiting = new Map<Holding, () => void>()
  let heldBytes = 0

  return {
    get heldBytes() {
      return heldBytes
    },
    open(usualBytes, { pause, resume }) {
      let size = 0
      const holding: Holding = {
        grow(bytes) {
          size += bytes
          heldBytes += bytes
          if (size <= usualBytes || large.has(holding) || waiting.has(holding)) return
          if (large.size < mostLarge) return void large.add(holding)
          waiting.set(holding, resume)
          pause()
        },
        release() {
          heldBytes -= size
          size = 0
          waiting.delete(holding)
          if (!large.delete(holding)) return
          const [next] = waiting
          if (!next) return
          waiting.delete(next[0])
          large.add(next[0])
          next[1]()
        },
      }
      return holding
    },
  }
}
