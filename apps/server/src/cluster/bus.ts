import { jetstream, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream'
import { connect, credsAuthenticator, type NatsConnection } from '@nats-io/transport-node'
import type { NatsSettings } from './nats-settings.ts'

/** A server that hangs is given up after two unanswered pings. */
const pingMs = 3_000
const mostPings = 2
const reconnectMs = 500
const connectMs = 5_000
/** A call to JetStream that is not answered in this time has failed. */
const answerMs = 3_000

/** The connection to NATS. It is made again by itself for as long as the process runs. */
export interface Bus {
  nats: NatsConnection
  jetstream: JetStreamClient
  manager: JetStreamManager
  readonly isUp: boolean
  close(): Promise<void>
}

export interface BusEdges {
  /** the process, for the lists of the server */
  name: string
  onLost: (why: string) => void
  onBack: () => void
}

/** Rejects if no server answers. */
export async function openBus(
  { servers, isEncrypted, ca, credentials }: NatsSettings,
  { name, onLost, onBack }: BusEdges,
): Promise<Bus> {
  const nats = await connect({
    servers: [...servers],
    name,
    timeout: connectMs,
    maxReconnectAttempts: -1,
    reconnectTimeWait: reconnectMs,
    pingInterval: pingMs,
    maxPingOut: mostPings,
    ...(isEncrypted && { tls: ca === undefined ? {} : { ca } }),
    ...(credentials !== undefined && {
      authenticator: credsAuthenticator(new TextEncoder().encode(credentials)),
      // a revoked right may be given again
      ignoreAuthErrorAbort: true,
    }),
  })
  let isUp = true
  const watching = (async () => {
    for await (const status of nats.status()) {
      if (status.type === 'disconnect') {
        isUp = false
        onLost(`the connection to ${String(status.server)} has ended`)
      } else if (status.type === 'reconnect') {
        isUp = true
        onBack()
      }
    }
  })()
  const own = jetstream(nats, { timeout: answerMs })
  const manager = await own.jetstreamManager().catch(async (error: unknown) => {
    await nats.close()
    throw error
  })
  return {
    nats,
    jetstream: own,
    manager,
    get isUp() {
      return isUp
    },
    async close() {
      await nats.close()
      await watching
    },
  }
}
