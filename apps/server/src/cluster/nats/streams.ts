import type { StreamConfig } from '@nats-io/jetstream'
import type { Bus } from './bus.ts'

/** How a stream is made. `config` is also applied to one that is there: another version of Pulse, or fewer servers, made it. */
export interface WantedStream {
  name: string
  /** what a stream keeps from its beginning */
  made: Partial<StreamConfig>
  config: Partial<StreamConfig>
}

/** Makes the stream, or brings the one that is there up to date. */
export async function demandStream(
  { manager }: Pick<Bus, 'manager'>,
  { name, made, config }: WantedStream,
): Promise<void> {
  try {
    await manager.streams.add({ ...made, ...config, name })
  } catch {
    await manager.streams.update(name, config)
  }
}
