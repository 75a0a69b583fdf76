import type { RecordKind } from '@pulse/contract'
import type { Deadline } from './loop.ts'

/** One repeated question: one call at a time, with backoff. */
export interface PartLoop {
  /** identifies its failures */
  name: string
  /** defaults to the interval of the source */
  intervalMs?: number | (() => number)
  firstAfterMs?: number
  /** defaults to the timeout of a call in the settings */
  deadlineMs?: number | (() => number)
  /** Returns when the answer has arrived. The runner then clears the failures and publishes. */
  run(signal: AbortSignal, deadline: Deadline): Promise<number | void>
}

/** A started part. The runner reports what it throws, and the other parts continue. */
export interface PartRun<L extends PartLoop = PartLoop> {
  loops?: readonly L[]
  /** Called after the part was switched off and its loops have ended. */
  stop?(): void
}

/** A started part at one member of its source, such as a node of a cluster. */
export interface MemberRun<L extends PartLoop = PartLoop> {
  loops?: readonly L[]
  stop?(): Promise<void>
}

export interface NamedPart {
  name: string
  kinds?: readonly RecordKind[]
}

/** One running loop and the name of its question, which includes the name of its member. */
export interface Asked<P, L> {
  part: P
  plan: L
  question: string
}
