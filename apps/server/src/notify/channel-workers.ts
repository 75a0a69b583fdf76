import type { Dispatcher } from '@pulse/domain'
import type { Troubles } from '../troubles/troubles.ts'
import type { Channel } from './channel.ts'
import { createHealth, type Health } from './health.ts'
import { createWorker, type Worker, type WorkerEdges } from './worker.ts'

export interface ChannelWorkerEdges extends Omit<WorkerEdges, 'channel' | 'dispatcher' | 'health'> {
  channelOf: (id: string) => Channel | undefined
  troubles: Troubles
}

/** One worker for each configured channel, with the channel's health. */
export interface ChannelWorkers {
  get(id: string): Worker | undefined
  healthOf(id: string): Health | undefined
  all(): Iterable<Worker>
  /** Starts workers of new channels, and discards those of removed ones with their messages. */
  follow(channels: readonly Channel[], dispatcher: Dispatcher): void
  stop(): Promise<void>
}

export function createChannelWorkers({ channelOf, troubles, ...edges }: ChannelWorkerEdges): ChannelWorkers {
  const workers = new Map<string, Worker>()
  const healths = new Map<string, Health>()

  function add(id: string, dispatcher: Dispatcher) {
    const health = createHealth(id, () => channelOf(id)?.info.name ?? id, troubles, edges.clock)
    healths.set(id, health)
    workers.set(id, createWorker(id, { ...edges, channel: () => channelOf(id), dispatcher, health }))
  }

  function remove(id: string) {
    const worker = workers.get(id)
    healths.get(id)?.forget()
    workers.delete(id)
    healths.delete(id)
    worker?.discard().catch(edges.report)
  }

  return {
    get: (id) => workers.get(id),
    healthOf: (id) => healths.get(id),
    all: () => workers.values(),
    follow(channels, dispatcher) {
      const ids = new Set(channels.map(({ info }) => info.id))
      for (const id of ids) if (!workers.has(id)) add(id, dispatcher)
      for (const id of workers.keys()) if (!ids.has(id)) remove(id)
    },
    async stop() {
      await Promise.all([...workers.values()].map((worker) => worker.stop()))
    },
  }
}
