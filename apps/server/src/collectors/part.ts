import type { MonitorFlag, RecordKind } from '@pulse/contract'
import type { CallShare } from '../polling/call-budget.ts'
import type { PartLoop as PolledLoop, PartRun } from '../polling/part.ts'
import type { Pace } from './source.ts'
import type { SourceError } from './source-error.ts'

/** One group of data about a source: its queries, their cost, its records and the rights that it needs. */
export interface Part<Context, Run extends PartRun<PartLoop>> {
  /** unique, because its share of the budget has the same name */
  name: string
  /** the part runs if any of these switches of a connection is on; absent: it always runs */
  flags?: readonly MonitorFlag[]
  /** further conditions from the settings; absent: none */
  isWanted?: (pace: Pace) => boolean
  calls: CallShare
  /** the same while the cluster's listing fails and other calls replace it */
  callsUnlisted?: CallShare
  rights?: readonly Need[]
  /** the kinds of record that only this part publishes */
  kinds?: readonly RecordKind[]
  start(context: Context): Run
}

export interface PartLoop extends PolledLoop {
  /** Runs even while access is refused or a node is unreachable. Its answer lets other loops continue. */
  isProbe?: true
  /** Milliseconds to wait for the part's own reasons. */
  hold?: () => number
  /** the right that the question needs */
  right?: string
  /** Handles a failure; absent: it is reported. Returns the next pause if not the usual one. */
  failed?(error: SourceError, failures: number, report: () => number | undefined): number | undefined
}

/** Something that is monitored, and the rights that make it visible. */
export interface Need {
  /** in the object tree; guests, nodes or storages are below this path */
  path: string
  /** only the right on the path itself counts, not rights below it */
  alone?: boolean
  /** any of these is enough */
  rights: readonly string[]
  /** their name in a warning */
  called: string
  /** the effect of the missing right, as the end of a sentence */
  dark: string
  /** without the right, lists are filtered silently, so only this check finds it */
  silent?: true
  /** without the right, this list is silently incomplete or empty */
  hides?: string
}
