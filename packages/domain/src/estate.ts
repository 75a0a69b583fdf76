import type { AnyRecord, RecordKind, SourceState } from '@pulse/contract'
import type { OnFault } from './derive/derivation.ts'
import { createDerived } from './derive/derive.ts'
import { derivations, joins } from './derive/index.ts'
import { raise } from './raise.ts'
import type { Frame, Observation, SourceReport } from './sources/observation.ts'
import { createSender, recordsPerFrame, type Sender } from './sources/sender.ts'
import { type Changes, createClaims } from './state/claims.ts'
import { behindLostSite, heard, markOf, type Moments, overdue, unheard, withMoments } from './state/marks.ts'
import { NamedIds } from './state/named-ids.ts'
import { isEqual, mergePatches, type StatePatch } from './state/patch.ts'
import type { Tables } from './state/tables.ts'

/** Patches that are produced in steps. Patches of other sources may come in between. */
export type Steps = Generator<StatePatch, void>

/** The complete state, merged from all sources. */
export interface Estate {
  readonly tables: Tables
  /** Replaces the source's earlier records of the given kinds. Returns the patch for readers. */
  observe(source: string, records: Observation['records'], report?: SourceReport): StatePatch
  /** The same in steps of some hundred records, each with its own patch. */
  observeInSteps(source: string, records: Observation['records'], report?: SourceReport): Steps
  /**
   * Applies a frame at once, and returns its patches in steps. Undefined if the preceding frame is missing,
   * so the sender must resend.
   */
  receive(frame: Frame): Steps | undefined
  /** The records of a kind as that source has them, until it is observed again. */
  recordsOf(source: string, kind: RecordKind): ReadonlyMap<string, AnyRecord>
  /** Whether the frame has been applied, or one after it. */
  has(frame: Frame): boolean
  /** Another process collects the source from now on, or none: its silence is not that of the source any more. */
  release(source: string): Steps
  /** The source missed its deadline. Its records are stale until it sets a new one, or begins again. */
  overdue(source: string): Steps
  /**
   * Nothing arrives from the site of these sources since that time (epoch ms), or something does again
   * (undefined). Until then their records are stale, and it is unknown whether the sources answer. A source
   * may be named before its first observation.
   */
  markSiteUnreachable(sources: Iterable<string>, since: number | undefined): Steps
  /** Removes the source with all its records. */
  forget(source: string): StatePatch
}

/** The state of a source's stream, without its records. */
interface Stream {
  run: string
  sequence: number
  /** while a base arrives: the ids received so far */
  named?: NamedIds | undefined
  state?: SourceState
  overdueError?: string | undefined
  shown?: SourceState
  /** state from before this run, until the run has its own answer */
  earlier?: Moments | undefined
  isOverdue: boolean
  /** Another process collects it. */
  isRemote: boolean
  isForeign: boolean
}

/**
 * With `onFault`, records that cannot be joined are shown as observed. The callback must not observe
 * anything.
 */
export function createEstate(
  joined = derivations(),
  onFault: OnFault = raise,
  perStep = recordsPerFrame,
): Estate {
  const derived = createDerived(joined, onFault)
  const streams = new Map<string, Stream>()
  const isForeign = (source: string) => streams.get(source)?.isForeign === true
  const claims = createClaims(derived.observed, joins, onFault, isForeign)
  /** sources of this process */
  const senders = new Map<string, Sender>()
  /** epoch ms, by source */
  const lostSites = new Map<string, number>()

  function takeIn(stream: Stream, { source, records, begins, completes }: Frame) {
    if (begins) stream.named = new NamedIds()
    for (const [kind, { put, remove }] of Object.entries(records) as [RecordKind, FrameRecords][]) {
      // kind of a newer version
      if (!Object.hasOwn(derived.tables, kind)) continue
      claims.put(source, kind, put)
      claims.remove(source, kind, remove)
      stream.named?.note(kind, put, remove)
    }
    if (!completes) return
    for (const kind of stream.named?.kinds() ?? [])
      claims.remove(source, kind, stream.named!.missingOf(kind, claims.of(source, kind).keys()))
    stream.named = undefined
  }

  /** A source without records has nothing that can be stale. */
  function judge(source: string, stream: Stream) {
    if (stream.state === undefined) return
    const { state, overdueError, isOverdue, isRemote } = stream
    const silent = isRemote ? unheard(state) : overdue(state, overdueError)
    const own = isOverdue ? silent : state
    const lostSince = lostSites.get(source)
    const shown = lostSince === undefined ? own : behindLostSite(own, lostSince)
    stream.shown = claims.isEmpty(source) ? shown : withMoments(shown)
    claims.mark(source, markOf(stream.shown))
  }

  function* show(source: string): Steps {
    for (let isLast = false; !isLast;) {
      const taken = claims.take(source, perStep)
      isLast = taken.isLast
      const patch = derived.apply((isLast ? withState(source, taken.changes) : taken.changes) as StatePatch)
      if (Object.keys(patch).length > 0) yield patch
    }
  }

  /** Appends the source's own state record after all its other records. */
  function withState(source: string, changes: Changes): Changes {
    const shown = streams.get(source)?.shown
    if (!shown || isEqual(shown, derived.observed('sources', source))) return changes
    return { ...changes, sources: { put: new Map([[source, shown]]), remove: new Set() } }
  }

  function* showAll(sources: readonly string[]): Steps {
    for (const source of sources) yield* show(source)
  }

  function receive(frame: Frame, isRemote: boolean): Steps | undefined {
    const { source, run, sequence, state, promiseMs, overdueError, isForeign = false } = frame
    const known = streams.get(source)
    const isSameRun = known?.run === run
    if (isSameRun && sequence <= known.sequence) return show(source)
    if (!frame.begins && !(isSameRun && sequence === known.sequence + 1)) return undefined
    const isOverdue = isSameRun && known.isOverdue
    const stream: Stream = { ...known, isOverdue, isRemote, isForeign, run, sequence }
    streams.set(source, stream)
    takeIn(stream, frame)
    if (promiseMs !== undefined) stream.isOverdue = promiseMs <= 0
    const hasRecords = Object.keys(frame.records).length > 0
    if (state) Object.assign(stream, heard(isRemote ? ofFrame(state) : state, hasRecords, stream))
    if (state) stream.overdueError = overdueError
    judge(source, stream)
    return show(source)
  }

  function* observeInSteps(source: string, records: Observation['records'], report: SourceReport = {}) {
    const sender = senders.get(source) ?? createSender(source, 'here', perStep)
    senders.set(source, sender)
    sender.offer({ records, ...report })
    for (let frame = sender.next(); frame; frame = sender.next()) {
      yield* receive(frame, false)!
      if (senders.get(source) !== sender) return
    }
    // Records from an earlier call may still be pending.
    yield* show(source)
  }

  return {
    tables: derived.tables,
    observe: (source, records, report) => merged(observeInSteps(source, records, report)),
    observeInSteps,
    receive(frame) {
      // its own observations of that source, if it makes any again, begin with a base
      senders.delete(frame.source)
      return receive(frame, true)
    },
    recordsOf: claims.of,
    has({ source, run, sequence }) {
      const known = streams.get(source)
      return known?.run === run && sequence <= known.sequence
    },
    release(source) {
      const stream = streams.get(source)
      if (stream) stream.isRemote = true
      if (stream) judge(source, stream)
      return show(source)
    },
    overdue(source) {
      const stream = streams.get(source)
      if (stream) stream.isOverdue = true
      if (stream) judge(source, stream)
      return show(source)
    },
    markSiteUnreachable(sources, since) {
      const marked = [...sources]
      for (const source of marked) {
        if (since === undefined) lostSites.delete(source)
        else lostSites.set(source, since)
        const stream = streams.get(source)
        if (stream) judge(source, stream)
      }
      return showAll(marked)
    },
    forget(source) {
      for (const kind of claims.kindsOf(source))
        claims.remove(source, kind, [...claims.of(source, kind).keys()])
      const patch = merged(show(source))
      const isShown = streams.get(source)?.shown !== undefined
      claims.forget(source)
      streams.delete(source)
      senders.delete(source)
      lostSites.delete(source)
      const gone = { sources: { put: new Map<string, SourceState>(), remove: new Set([source]) } }
      return isShown ? mergePatches(patch, derived.apply(gone)) : patch
    },
  }
}

function merged(steps: Steps): StatePatch {
  let patch: StatePatch = {}
  for (const one of steps) patch = mergePatches(patch, one)
  return patch
}

/** How long nothing was heard of a source, or of its site, is what the receiver sees. */
function ofFrame({ siteUnreachableSince: _site, staleSince: _source, ...state }: SourceState): SourceState {
  return state
}

type FrameRecords = { put: [string, AnyRecord][]; remove: string[] }
