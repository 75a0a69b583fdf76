import type { RecordKind } from '@pulse/contract'
import type { Clock, Frame, Observation } from '@pulse/domain'
import type { State } from '../../state/state.ts'
import type { Bus } from '../nats/bus.ts'
import type { FrameReading } from './frame-reading.ts'
import { followFrames, type FrameReceiverEdges } from './frame-receiver.ts'
import { believedFrame } from './foreign-frames.ts'
import { type Bounds, createForeignHoldings } from './foreign-holdings.ts'
import { foreignRecords, isForeign, type KnownConnection } from './foreign-records.ts'
import { createAdmission } from './frame-admission.ts'
import { createFrameSender, type FrameSender } from './frame-sender.ts'
import { demandFrameStream } from './frame-stream.ts'
import { leastPromiseMs } from './merged-frames.ts'
import { type FramePlace, framesOf, resendOf } from '../nats/subjects.ts'

export interface SharedStateEdges {
  state: State
  bus: Bus
  site: string
  clock: Pick<Clock, 'monotonic' | 'after'>
  replicas?: number
  onFault: (error: unknown) => void
  /** undefined: this process does not know the source yet */
  connectionOf: (source: string) => KnownConnection | undefined
  connections: () => Iterable<KnownConnection>
  /** Whether this process shows or judges what others collect. Otherwise it only knows that they said something. */
  takesOthers: boolean
  /** Another process sends what is no frame. */
  onRefused: (subject: string, why: string) => void
  /** of a source of another site */
  mostHeld?: Bounds
}

export interface SharedState {
  /** Its observations also reach the other processes, if their source belongs to this one. */
  state: State
  /** For what one process does for all: its observations reach the others while this process leads. */
  ledState: State
  /** Takes what others send from now on. Resolves when what they had sent before is in the state. */
  follow(): Promise<void>
  /** The source belongs to this process from now on. `fence`: of its lease. */
  own(source: string, fence: string): void
  /** Another process may send it now. `isStopping`: nothing is shown or counted here any more. */
  disown(source: string, isStopping?: boolean): void
  /** This process leads from now on. */
  lead(fence: string): void
  /** Everything that is led has been observed: what the process that led before had beyond that is no more. */
  forgetUnled(): void
  /** The source has become known: what its site has sent before was not taken. */
  known(source: string, site: string): void
  /** Whether any process has said something of the source. */
  isSaid(source: string): boolean
  /** of a source of which nothing is taken, as its holder says; undefined: nothing is known */
  heardRecords(source: string): number | undefined
  /** monotonic: when something of a source was received last */
  heardAt(source: string): number
  /** messages of others that are not in it yet */
  waiting(): number
  /** What is in the stream now is in the state, or that takes too long. */
  caughtUp(): Promise<void>
  /** The line to NATS is back. */
  lineIsBack(): Promise<void>
  stop(): Promise<void>
}

/**
 * One state for several processes: each has all of it, made from its own observations and from the frames of the others.
 * Without the line, each goes on with what it has.
 */
export async function shareState(edges: SharedStateEdges): Promise<SharedState> {
  const { state, bus, site, clock, replicas, connectionOf, connections, takesOthers, onFault, onRefused } =
    edges
  const heardAt = new Map<string, number>()
  const senders = new Map<string, { sender: FrameSender; fence: string; place: string | undefined }>()
  /** sources of the process that leads, as others have sent them */
  const ledElsewhere = new Set<string>()
  const admission = createAdmission({ connectionOf, takesOthers, ledElsewhere, onRefused })
  const holdings = createForeignHoldings(edges.mostHeld)
  /** those of them that this process, which leads now, has not observed yet */
  const adopted = new Set<string>()
  let leadFence: string | undefined

  function begin(place: string | undefined, source: string, fence: string) {
    senders.get(source)?.sender.stop()
    const sender = createFrameSender({ bus, site: place, source, fence, clock, onFault })
    senders.set(source, { sender, fence, place })
    return sender
  }

  function send({ source, ...said }: Observation) {
    senders.get(source)?.sender.offer(said)
  }

  function sendLed({ source, ...said }: Observation) {
    if (leadFence === undefined) return
    adopted.delete(source)
    const sender = senders.get(source)?.sender ?? begin(undefined, source, leadFence)
    sender.offer(said)
  }

  function adopt(source: string): boolean {
    if (!ledElsewhere.has(source)) return false
    if (!senders.has(source)) adopted.add(source)
    return adopted.has(source)
  }

  function forgetLed(source: string) {
    state.forget(source)
    ledElsewhere.delete(source)
    adopted.delete(source)
    if (leadFence === undefined) return
    const sender = senders.get(source)?.sender ?? begin(undefined, source, leadFence)
    senders.delete(source)
    void sender.forget().catch(onFault)
  }

  /** Those of this process have arrived without NATS, and what a former holder still says is late. */
  function isOwn({ site: place, source, fence }: FramePlace & { fence: string }): boolean {
    const own = senders.get(source)
    if (own !== undefined && place === own.place && fence <= own.fence) return true
    return place === undefined && leadFence !== undefined && fence <= leadFence
  }

  function forget(source: string) {
    state.forget(source)
    holdings.forget(source)
  }

  const siteOfCeph = (fsid: string) => {
    const known = state.tables.cephClusters.get(fsid)
    return known && connectionOf(known.source)?.site
  }

  /** Undefined: it is refused. */
  function believed(frame: Frame, { site: place, source }: FramePlace): Frame | undefined {
    const own = place === undefined ? undefined : connectionOf(source)
    if (!own) return frame
    const refuse = (why: string) => onRefused(framesOf(place, source), why)
    const foreign = foreignRecords(frame, (id) => connectionOf(id) !== undefined)
    if (foreign !== undefined) return void refuse(foreign)
    if (!isForeign(place)) return frame
    const judged = believedFrame(frame, { own, connections, siteOfCeph })
    if ('refused' in judged) return void refuse(judged.refused)
    judged.left.forEach(refuse)
    return judged.frame
  }

  await demandFrameStream(bus, replicas)
  const taking: FrameReceiverEdges = {
    bus,
    clock,
    onFault,
    isOwn,
    admits: admission.admits,
    headersOnly: !takesOthers,
    reported: (source, kind, id) => state.recordsOf(source, kind as RecordKind).get(id),
    async take({ site: place, source, frame: sent, fence, ageMs }) {
      if (isOwn({ site: place, source, fence })) return 'taken'
      const frame = sent && believed(sent, { site: place, source })
      if (sent && !frame) return 'refused'
      heardAt.set(source, clock.monotonic() - ageMs)
      if (frame === undefined) {
        ledElsewhere.delete(source)
        heardAt.delete(source)
        forget(source)
        return 'taken'
      }
      if (place === undefined) ledElsewhere.add(source)
      if (!(await state.receive(withPromise(frame, ageMs)))) return 'missing'
      if (!isForeign(place) || holdings.take(frame)) return 'taken'
      onRefused(framesOf(place, source), 'a source has too many records')
      forget(source)
      return 'refused'
    },
    onRefused,
    tidies: () => leadFence !== undefined,
  }
  let receiver: FrameReading | undefined

  const stateThat = (
    tell: (observation: Observation) => void,
    own: Partial<Pick<State, 'forget' | 'adopt'>> = {},
  ): State => ({
    ...state,
    ...own,
    get meta() {
      return state.meta
    },
    get version() {
      return state.version
    },
    observe(observation) {
      state.observe(observation)
      tell(observation)
    },
    async observeInSteps(observation) {
      tell(observation)
      await state.observeInSteps(observation)
    },
  })

  return {
    state: stateThat(send, { forget }),
    ledState: stateThat(sendLed, { forget: forgetLed, adopt }),
    async follow() {
      receiver = await followFrames(taking)
      await receiver.isCaughtUp
    },
    waiting: () => receiver?.waiting() ?? 0,
    isSaid(source) {
      const { health = 'unknown', siteUnreachableSince } = state.tables.sources.get(source) ?? {}
      return health !== 'unknown' || siteUnreachableSince !== undefined || admission.said.has(source)
    },
    heardRecords: (source) => admission.said.get(source),
    heardAt: (source) => heardAt.get(source) ?? -Infinity,
    known(source, place) {
      if (admission.unmiss(source)) bus.nats.publish(resendOf(place, source))
    },
    own: (source, fence) => void begin(site, source, fence),
    disown(source, isStopping = false) {
      const sender = senders.get(source)?.sender
      sender?.stop()
      senders.delete(source)
      if (isStopping) return
      if (takesOthers) return state.release(source)
      admission.say(source, sender?.records() ?? 0)
      state.forget(source)
    },
    lead(fence) {
      leadFence = fence
      // The process that led before may have heard more than it could send.
      for (const source of ledElsewhere) state.doubt(source)
    },
    forgetUnled() {
      for (const source of ledElsewhere) if (!senders.has(source) && !adopted.has(source)) forgetLed(source)
    },
    caughtUp: async () => receiver?.caughtUp(),
    async lineIsBack() {
      // the servers may need a while to agree on the stream; what can be read is read meanwhile
      await Promise.all([demandFrameStream(bus, replicas).catch(onFault), receiver?.again().catch(onFault)])
      for (const { sender } of senders.values()) sender.resend()
    },
    async stop() {
      for (const { sender } of senders.values()) sender.stop()
      await receiver?.stop()
    },
  }
}

/** A frame after an old one may follow at once. */
function withPromise(frame: Frame, ageMs: number): Frame {
  const { promiseMs } = frame
  if (promiseMs === undefined) return frame
  return { ...frame, promiseMs: Math.max(promiseMs - ageMs, Math.min(promiseMs, leastPromiseMs)) }
}
