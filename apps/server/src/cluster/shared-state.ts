import type { Clock, Observation } from '@pulse/domain'
import { randomUUID } from 'node:crypto'
import type { State } from '../state/state.ts'
import type { Bus } from './bus.ts'
import { followFrames } from './frame-receiver.ts'
import { createFrameSender, type FrameSender } from './frame-sender.ts'
import { demandFrameStream } from './frame-stream.ts'

export interface SharedStateEdges {
  state: State
  bus: Bus
  site: string
  clock: Pick<Clock, 'monotonic' | 'after'>
  replicas?: number
  onFault: (error: unknown) => void
  /** Another process sends what is no frame. */
  onRefused: (subject: string, why: string) => void
}

export interface SharedState {
  /** Its observations also reach the other processes, if their source belongs to this one. */
  state: State
  /** what other processes had sent before the start is in the state */
  isCaughtUp: Promise<void>
  /** The source belongs to this process from now on. `fence`: of its lease. */
  own(source: string, fence: string): void
  /** Another process may send it now. */
  disown(source: string): void
  /** The line to NATS is back. */
  lineIsBack(): Promise<void>
  stop(): Promise<void>
}

/**
 * One state for several processes: each has all of it, made from its own observations and from the frames of the others.
 * Without the line, each goes on with what it has.
 */
export async function shareState(edges: SharedStateEdges): Promise<SharedState> {
  const { state, bus, site, clock, replicas, onFault, onRefused } = edges
  const senders = new Map<string, { sender: FrameSender; fence: string }>()
  const run = randomUUID()

  function send({ source, ...said }: Observation) {
    senders.get(source)?.sender.offer(said)
  }

  await demandFrameStream(bus, replicas)
  const receiver = await followFrames({
    bus,
    async take({ frame, fence }) {
      // those of this process have arrived without NATS
      if (senders.get(frame.source)?.fence === fence) return true
      return state.receive(frame)
    },
    onRefused,
  })

  return {
    state: {
      ...state,
      get meta() {
        return state.meta
      },
      get version() {
        return state.version
      },
      observe(observation) {
        state.observe(observation)
        send(observation)
      },
      async observeInSteps(observation) {
        send(observation)
        await state.observeInSteps(observation)
      },
    },
    isCaughtUp: receiver.isCaughtUp,
    own(source, fence) {
      senders.get(source)?.sender.stop()
      const sender = createFrameSender({ bus, site, source, fence, run, clock, onFault })
      senders.set(source, { sender, fence })
    },
    disown(source) {
      senders.get(source)?.sender.stop()
      senders.delete(source)
    },
    async lineIsBack() {
      await demandFrameStream(bus, replicas)
      await receiver.again()
      for (const { sender } of senders.values()) sender.resend()
    },
    async stop() {
      for (const { sender } of senders.values()) sender.stop()
      await receiver.stop()
    },
  }
}
