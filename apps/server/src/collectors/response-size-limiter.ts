/**
 * Limits the memory of arriving answers. Each may hold its usual size. Only a few at a time may hold more;
 * others pause until one of these has ended. A dozen hosts that send endlessly cost the memory of two.
 */
export interface ResponseSizeLimiter {
  /** Registers an answer that begins. The limiter pauses and resumes its reading. */
  open(usualBytes: number, reading: { pause: () => void; resume: () => void }): Holding
  readonly heldBytes: number
}

export interface Holding {
  grow(bytes: number): void
  /** The answer has ended or was cancelled. */
  release(): void
}

export function createResponseSizeLimiter(mostLarge: number): ResponseSizeLimiter {
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
