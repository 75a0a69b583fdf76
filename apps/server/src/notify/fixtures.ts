import { alertDefaults, type AlertConfig } from '@pulse/contract'
import type { AlertChange, EpisodeEnd, SentNotice, StoredAlert, Notice } from '@pulse/domain'
import { aGround, type Ground } from '../auth/fixtures.ts'
import { deliveryStore } from '../db/deliveries.ts'
import { createTroubles, type Troubles } from '../troubles/troubles.ts'
import type { Channel, Outcome } from './channel.ts'
import { createPipeline, type Pipeline } from './pipeline.ts'

export const secondMs = 1_000
export const minuteMs = 60_000

export const delivered: Outcome = { delivered: true, status: 200, bytes: 10 }
export const refused: Outcome = {
  delivered: false,
  status: 503,
  bytes: 10,
  reason: 'The receiver answered 503.',
  retry: 'later',
}
/** Pulse does not retry after this answer. */
export const undeliverable: Outcome = {
  delivered: false,
  status: 404,
  bytes: 10,
  reason: 'It answered 404.',
  retry: 'never',
}

/** A channel with a receiver that the test controls. */
export interface FakeChannel extends Channel {
  received: { notice: Notice; at: number }[]
  /** monotonic time of every attempt */
  attempts: number[]
  answer: (notice: Notice, signal: AbortSignal) => Outcome | Promise<Outcome>
}

/** A pipeline on a real database; only the test advances the time. */
export interface TestPipeline {
  ground: Ground
  pipeline: Pipeline
  troubles: Troubles
  /** reported errors; they fail the test unless it removes them */
  faults: unknown[]
  channels: FakeChannel[]
  config: AlertConfig
  /** deliveries that were reported to the alerts */
  notified: SentNotice[]
  channel(name: string): FakeChannel
  raise(id: string, change?: Partial<StoredAlert['alert']>): StoredAlert
  resolve(stored: StoredAlert): void
  /** An administrator clears the history. */
  clearHistory(): void
  /** Resolves when no work is left at the current time. */
  settled(): Promise<void>
  pass(ms: number): Promise<void>
  /** Stops the pipeline and starts a new one. */
  restart(): Promise<void>
  end(): Promise<void>
}

export const idsOf = ({ alerts }: Notice) => alerts.map(({ alert }) => alert.id)
/** The stored rows of the delivery log. */
export const logOf = ({ ground }: TestPipeline) => deliveryStore(ground.db).find({}, 100)

/** Active alerts without grouping and limits; a test can set them. */
export const freely = (schedule: Partial<AlertConfig['schedule']> = {}): AlertConfig => ({
  ...alertDefaults,
  activationState: 'active',
  schedule: {
    ...alertDefaults.schedule,
    cooldown: 0,
    maxAlertsHour: 0,
    grouping: { ...alertDefaults.schedule.grouping, enabled: false },
    ...schedule,
  },
})

export async function aPipeline(config = freely(), own?: Ground): Promise<TestPipeline> {
  const ground = own ?? (await aGround())
  const open = new Map<string, StoredAlert>()
  const ends = new Map<string, EpisodeEnd>()
  const channels: FakeChannel[] = []
  let busy = 0

  const under = async <T>(job: Promise<T>): Promise<T> => {
    busy += 1
    return job.finally(() => (busy -= 1))
  }
  const begin = () => {
    const store = deliveryStore(ground.db)
    return createPipeline({
      alerts: {
        config: () => test.config,
        stored: () => [...open.values()],
        endsOf: async () => ends,
        notified: (notices) => void test.notified.push(...notices),
      },
      channels: () => channels,
      store: { ...store, write: (queries) => under(store.write(queries)) },
      clock: ground.clock,
      log: ground.log,
      troubles: test.troubles,
      report: (_fault, error) => test.faults.push(error),
      maySend: () => true,
      publicUrl: () => 'https://pulse.lan',
    })
  }
  const applyChange = (what: AlertChange['what'], stored: StoredAlert) =>
    test.pipeline.apply([{ what, stored, at: ground.clock.now() }])

  const test: TestPipeline = {
    ground,
    config,
    channels,
    notified: [],
    faults: [],
    troubles: createTroubles(ground.clock, ground.log),
    pipeline: undefined as unknown as Pipeline,
    channel(name) {
      const channel: FakeChannel = {
        info: {
          id: `webhook:${name}`,
          kind: 'webhook',
          name,
          enabled: true,
          capacity: { firing: 500, resolved: 500 },
        },
        service: 'generic',
        address: 'http://127.0.0.1',
        retryPolicy: { quickRetries: 3, firstPauseMs: 1_000 },
        revision: 1,
        received: [],
        attempts: [],
        answer: () => delivered,
        async send(notice, signal) {
          channel.attempts.push(ground.clock.monotonic())
          const outcome = await channel.answer(notice, signal)
          if (outcome.delivered) channel.received.push({ notice, at: ground.clock.monotonic() })
          return outcome
        },
      }
      channels.push(channel)
      test.pipeline.setChannels()
      return channel
    },
    raise(id, change = {}) {
      const startTime = new Date(ground.clock.now()).toISOString()
      const stored: StoredAlert = {
        alert: {
          id,
          type: 'cpu',
          level: 'warning',
          resourceId: id,
          resourceName: id,
          node: 'pve1',
          instance: 'main',
          message: 'CPU is at 90%',
          value: 90,
          threshold: 80,
          startTime,
          acknowledged: false,
          ...change,
        },
        episode: `${id} ${startTime}`,
        kind: 'guests',
        record: id,
        source: 'main',
        rule: 'cpu',
        trigger: 80,
        steps: [],
      }
      open.set(stored.episode, stored)
      applyChange('raised', stored)
      return stored
    },
    resolve(stored) {
      open.delete(stored.episode)
      ends.set(stored.episode, { at: ground.clock.now() })
      applyChange('resolved', stored)
    },
    clearHistory: () => ends.clear(),
    async settled() {
      for (let calm = 0; calm < 5; calm = busy === 0 ? calm + 1 : 0)
        await new Promise((resolve) => setImmediate(resolve))
    },
    async pass(ms) {
      const until = ground.clock.monotonic() + ms
      for (let at = ground.clock.monotonic(); at < until; at = ground.clock.monotonic()) {
        await test.settled()
        await ground.clock.advance(Math.min(500, until - at))
      }
      await test.settled()
    },
    async restart() {
      await test.pipeline.stop()
      test.pipeline = begin()
      await test.pipeline.start()
      await test.settled()
    },
    async end() {
      await test.pipeline.stop()
      test.troubles.stop()
      await ground.end()
      if (test.faults.length > 0) throw test.faults[0]
    },
  }
  test.pipeline = begin()
  await test.pipeline.start()
  return test
}
