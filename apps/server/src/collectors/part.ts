import type { MonitorFlag, RecordKind } from '@pulse/contract'
import type { CallShare } from '../polling/call-budget.ts'
import type { PartLoop as PolledLoop, PartRun } from '../polling/part-runner.ts'
import type { Pace } from './source.ts'
import type { SourceError } from './source-error.ts'

/** One family of facts about a source: what it asks, what that may cost, what it tells, and what it must be allowed. */
export interface Part<Context, Run extends PartRun<PartLoop>> {
  /** unique: the name of its share in the budget */
  name: string
  /** any of these switches of a connection wants it; absent: it is always on */
  flags?: readonly MonitorFlag[]
  /** what the settings say besides; absent: they leave it on */
  isWanted?: (pace: Pace) => boolean
  calls: CallShare
  /** the same while the cluster's listing fails, and others stand in for it */
  callsUnlisted?: CallShare
  rights?: readonly Need[]
  /** the kinds of record that it publishes, and no other part */
  kinds?: readonly RecordKind[]
  start(context: Context): Run
}

export interface PartLoop extends PolledLoop {
  /** It goes out although the source does not let us in, or a node is silent: by its answer the others go on. */
  isProbe?: true
  /** Milliseconds to wait for something of its own. */
  hold?: () => number
  /** the right without which it is refused */
  right?: string
  /** Absent: the failure is reported. Returns the pause before the next run, if not the usual one. */
  failed?(error: SourceError, failures: number, report: () => number | undefined): number | undefined
}

/** Something that is watched, and the right that shows it. */
export interface Need {
  /** in the tree of objects; its guests, nodes or storages are the paths below it */
  path: string
  /** only the path itself counts, not what is below it */
  alone?: boolean
  /** any of them will do */
  rights: readonly string[]
  /** how they are called in a warning */
  called: string
  /** what stays dark without, as the end of a sentence */
  dark: string
  /** without it lists are filtered in silence, so nothing else tells */
  silent?: true
  /** without it what bears this name is listed in part or not at all, and nothing tells either */
  hides?: string
}
