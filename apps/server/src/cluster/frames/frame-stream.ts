import { RetentionPolicy, StorageType } from '@nats-io/jetstream'
import type { Bus } from '../nats/bus.ts'
import { demandStream } from '../nats/streams.ts'
import { allFrames, streamName } from '../nats/subjects.ts'

/** Frames of all sources. Above it, the oldest are dropped, and a process that needs them asks for a base. */
const mostBytes = 2 * 1024 * 1024 * 1024
/** A source that is not collected any more. */
const mostAgeMs = 24 * 3_600_000
const nanosPerMs = 1_000_000

/** The stream of frames, with the last base of each source and what changed since. */
export const demandFrameStream = (bus: Pick<Bus, 'manager'>, replicas = 1): Promise<void> =>
  demandStream(bus, {
    name: streamName,
    made: { retention: RetentionPolicy.Limits, storage: StorageType.Memory },
    config: {
      subjects: [allFrames],
      max_bytes: mostBytes,
      max_age: mostAgeMs * nanosPerMs,
      num_replicas: replicas,
    },
  })
