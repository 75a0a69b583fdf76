import type { BodyOf, postNotificationTest } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { DeliveryStore } from '../../db/deliveries.ts'
import type { Input, Route } from '../../http/route.ts'
import type { Outbound } from '../../outbound/guard.ts'
import type { SettingsDefinition, SettingsDocument } from '../../settings-document.ts'
import type { Channel } from '../channel.ts'
import type { SendTest } from '../test-send.ts'

/** Dependencies of every kind of channel. */
export interface ChannelEdges {
  clock: Clock
  outbound: Outbound
  env: NodeJS.ProcessEnv
  /** Opens a document that is loaded, reloaded and signalled together with those of the other kinds. */
  openDocument: <T, Shown>(definition: SettingsDefinition<T, Shown>) => SettingsDocument<T, Shown>
  sendTest: SendTest
  deliveries: DeliveryStore
}

export type TestRequest = Pick<Input<typeof postNotificationTest>, 'note'> & {
  body: BodyOf<typeof postNotificationTest>
}

/** One kind of channel: its folder has the settings with their masks and their export, the sender, the routes and the test. */
export interface ChannelModule {
  /** Configured channels, including disabled ones. */
  channels(): readonly Channel[]
  routes: readonly Route[]
  /** Sends a test with the settings of the request; resolves with a sentence for the administrator. */
  test(request: TestRequest): Promise<string>
}
