import { jetstream, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream'
import { credsAuthenticator, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node'
import type { Clock } from '@pulse/domain'
import { isIP } from 'node:net'
import { checkServerIdentity } from 'node:tls'
import { StartupError } from '../../startup-error.ts'
import { natsRemedy } from './nats-remedy.ts'
import type { NatsSettings } from './nats-settings.ts'
import { connectStrictly } from './nats-transport.ts'

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
  /** how often the connection was made again; the servers may have lost their data meanwhile */
  readonly returns: number
  close(): Promise<void>
}

export interface BusEdges {
  /** the process, for the lists of the server */
  name: string
  clock: Pick<Clock, 'monotonic'>
  onLost: (why: string) => void
  onBack: () => void
}

/**
 * The client (nats-core 3) compares the wall clock with that of its last attempt, so that it would make none for an hour after
 * the clock was set back by an hour. A delay of -Infinity makes it try at once, whatever the wall clock says.
 */
function reconnectDelays(clock: Pick<Clock, 'monotonic'>): () => number {
  let nextAt = -Infinity
  return () => {
    const now = clock.monotonic()
    if (now < nextAt) return nextAt - now
    nextAt = now + reconnectMs
    return -Infinity
  }
}

/**
 * The client (transport-node 3) leaves out the host if it is an address, and Node then takes the certificate for that of
 * `localhost`. It hands its options on to Node, although its types do not say so.
 */
function tlsOf(servers: readonly string[], ca: string | undefined): { ca?: string } {
  const hosts = servers.map((server) => server.slice(0, server.lastIndexOf(':')).replace(/^\[(.*)\]$/, '$1'))
  const addresses = hosts.filter((host) => isIP(host) > 0)
  const options = {
    ...(ca !== undefined && { ca }),
    checkServerIdentity(name: string, certificate: Parameters<typeof checkServerIdentity>[1]) {
      if (hosts.includes(name) || addresses.length === 0) return checkServerIdentity(name, certificate)
      const problems = addresses.map((address) => checkServerIdentity(address, certificate))
      return problems.includes(undefined) ? undefined : problems[0]
    },
  }
  return options
}

/** Throws StartupError. */
async function connectTo(servers: string[], options: NodeConnectionOptions): Promise<NatsConnection> {
  try {
    // Servers name addresses of their own network to clients, which elsewhere lead nowhere and are in no certificate. What they
    // name before TLS begins may be from anyone.
    const nats = await connectStrictly({ ...options, servers, ignoreClusterUpdates: true })
    // The client (nats-core 3) drops servers that did not answer at the start.
    nats.setServers(servers)
    return nats
  } catch (cause) {
    throw new StartupError(
      `NATS at ${servers.join(', ')} cannot be used: ${(cause as Error).message}`,
      natsRemedy(cause as Error),
      { cause },
    )
  }
}

/** Of version 2. Pulse was not tried with an older one. */
const oldestMinor = 9

async function refuseOlder(nats: NatsConnection, servers: readonly string[]): Promise<void> {
  const { version = '' } = nats.info ?? {}
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10))
  if (major > 2 || (major === 2 && minor >= oldestMinor)) return
  await nats.close()
  throw new StartupError(
    `NATS at ${servers.join(', ')} is nats-server ${version}.`,
    `Pulse needs nats-server 2.${oldestMinor} or later.`,
  )
}

/** Throws StartupError if no server answers, or if it is too old, or has no JetStream. */
export async function openBus(
  { servers, isEncrypted, ca, credentials, login, apiPrefix }: NatsSettings,
  { name, clock, onLost, onBack }: BusEdges,
): Promise<Bus> {
  const needsTls = isEncrypted || ca !== undefined
  const nats = await connectTo([...servers], {
    name,
    timeout: connectMs,
    maxReconnectAttempts: -1,
    reconnectDelayHandler: reconnectDelays(clock),
    pingInterval: pingMs,
    maxPingOut: mostPings,
    ...(needsTls && { tls: tlsOf(servers, ca) }),
    ...(login && { user: login.user, pass: login.password, ignoreAuthErrorAbort: true }),
    ...(credentials !== undefined && {
      authenticator: credsAuthenticator(new TextEncoder().encode(credentials)),
      // a revoked right may be given again
      ignoreAuthErrorAbort: true,
    }),
  })
  await refuseOlder(nats, servers)
  let isUp = true
  let returns = 0
  const watching = (async () => {
    for await (const status of nats.status()) {
      if (status.type === 'disconnect') {
        isUp = false
        onLost(`the connection to ${String(status.server)} has ended`)
      } else if (status.type === 'reconnect') {
        isUp = true
        returns++
        onBack()
      }
    }
  })()
  const own = jetstream(nats, { timeout: answerMs, ...(apiPrefix !== undefined && { apiPrefix }) })
  // an account of a site has no JetStream of its own to check
  const manager = await own.jetstreamManager(apiPrefix === undefined).catch(async (error: unknown) => {
    await nats.close()
    throw new StartupError(
      `NATS at ${servers.join(', ')} has no JetStream: ${(error as Error).message}`,
      'Switch JetStream on for the account of Pulse.',
      { cause: error },
    )
  })
  return {
    nats,
    jetstream: own,
    manager,
    get isUp() {
      return isUp
    },
    get returns() {
      return returns
    },
    async close() {
      await nats.close()
      await watching
    },
  }
}
