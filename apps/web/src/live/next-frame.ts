export interface FrameEdges {
  isSeen(): boolean
  monotonic(): number
  /** runs it before the next frame; on a page that nobody sees, when somebody does */
  requestFrame(run: () => void): void
}

/** Shorter than what the server leaves between two patches. */
const GAP_MS = 100

/**
 * Once per frame at most, and without asking for one: what changes the page asks for a frame itself, and most of what
 * the server says about itself changes nothing on it.
 */
export function createNextFrame({ isSeen, monotonic, requestFrame }: FrameEdges) {
  let ranAt = -Infinity
  return (run: () => void): void => {
    const timed = () => {
      ranAt = monotonic()
      run()
    }
    if (isSeen() && monotonic() - ranAt >= GAP_MS) queueMicrotask(timed)
    else requestFrame(timed)
  }
}

export const browserFrames: FrameEdges = {
  isSeen: () => document.visibilityState === 'visible',
  monotonic: () => performance.now(),
  requestFrame: (run) => void requestAnimationFrame(run),
}
