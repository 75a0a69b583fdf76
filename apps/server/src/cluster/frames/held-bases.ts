import type { Frame } from '@pulse/domain'
import type { Feed } from './frame-feeds.ts'
import { MergedFrames } from './merged-frames.ts'
import type { FramePlace } from '../nats/subjects.ts'

/** A complete frame. */
export interface Arrived extends FramePlace {
  subject: string
  feed: Feed
  fence: string
  /** of its last part in the stream, and of the first one of its base */
  seq: number
  firstPart: number
  /** how long it has been in the stream at least */
  ageMs: number
}

/**
 * For a process that comes late: what each base in the stream has changed since is applied with it, not frame by frame.
 * `apply` must not reject.
 */
export function createHeldBases(apply: (arrived: Arrived, frames: Iterable<Frame>) => Promise<void>) {
  const held = new Map<string, { arrived: Arrived; merged: MergedFrames }>()
  let isReleasing = false
  /** messages of the base that is applied now */
  let applying = 0

  async function release(subject: string) {
    const base = held.get(subject)
    held.delete(subject)
    if (!base) return
    applying = base.merged.count
    await apply(base.arrived, base.merged.frames())
    applying = 0
  }

  return {
    /** False: the frame belongs to no base that is held. */
    async hold(arrived: Arrived, frame: Frame): Promise<boolean> {
      const { subject, ageMs } = arrived
      if (frame.begins) {
        await release(subject)
        held.set(subject, { arrived, merged: new MergedFrames(frame, ageMs) })
        return true
      }
      const base = held.get(subject)
      if (!base) return false
      base.merged.add(frame, ageMs)
      base.arrived = { ...arrived, firstPart: base.arrived.firstPart }
      return true
    },
    has: (subject: string): boolean => held.has(subject),
    forget: (subject: string) => void held.delete(subject),
    /** In the order of their last messages. */
    async releaseAll() {
      isReleasing = true
      const subjects = [...held].toSorted(([, a], [, b]) => a.arrived.seq - b.arrived.seq)
      for (const [subject] of subjects) await release(subject)
      isReleasing = false
    },
    get isReleasing(): boolean {
      return isReleasing
    },
    /** number of messages that the state does not have yet */
    get waiting(): number {
      return [...held.values()].reduce((sum, { merged }) => sum + merged.count, applying)
    },
  }
}
