import { DiscardPolicy, RetentionPolicy, StorageType, type StreamInfo } from '@nats-io/jetstream'
import type { Bus } from '../nats/bus.ts'
import { isGone } from '../nats/jetstream-errors.ts'
import { demandStream } from '../nats/streams.ts'
import { unsavedStream, unsavedWrites } from '../nats/subjects.ts'

/** Hours of many alerts. Above it, it takes nothing more. */
const mostBytes = 256 * 1024 * 1024

export const demandUnsavedStream = (bus: Pick<Bus, 'manager'>, replicas: number): Promise<void> =>
  demandStream(bus, {
    name: unsavedStream,
    made: { retention: RetentionPolicy.Limits, storage: StorageType.File, discard: DiscardPolicy.New },
    config: { subjects: [unsavedWrites], max_bytes: mostBytes, num_replicas: replicas },
  })

/** The stream as it is; made if there is none. Making one needs more of the servers than to read it. */
export async function foundUnsavedStream(bus: Pick<Bus, 'manager'>, replicas: number): Promise<StreamInfo> {
  const { streams } = bus.manager
  try {
    return await streams.info(unsavedStream)
  } catch (error) {
    if (!isGone(error)) throw error
    await demandUnsavedStream(bus, replicas)
    return streams.info(unsavedStream)
  }
}
