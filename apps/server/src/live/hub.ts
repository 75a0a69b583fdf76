import {
  DELTA_PROTOCOL,
  type LiveEvent,
  liveTiming,
  signedOutCode,
  type Slice,
  slices,
} from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import type { RawData, WebSocket } from 'ws'
import { admit } from '../auth/gate.ts'
import type { Principal } from '../auth/principal.ts'
import type { PlainView } from '../state/plain-view.ts'
import { createSignal, type OnSignal } from '../signal.ts'
import type { State } from '../state/state.ts'
import { SlidingWindow } from '../timing/rate-limit.ts'
import { countSockets, type SocketCaps, socketCaps, type Visitor } from './caps.ts'
import { type Client, eventFrame, isOpen, newClient, sendEvent, type Traffic } from './client.ts'
import { createDeltaFeed, type DeltaFeed } from './delta-feed.ts'
import { createGuard } from './guard.ts'
import { keepAlive } from './keep-alive.ts'
import type { SocketMessage } from '../area.ts'
import { eventNeeds, reader, understand } from './messages.ts'
import { createPlainFeed } from './plain-feed.ts'
import { createThrottle } from '../timing/throttle.ts'
import { createUpgrade } from './upgrade.ts'

/** The time that a client has to answer the close frame. */
const GOODBYE_MS = 1_500
const tooManyMessages = 1008
/** The limit per client and ten seconds. A browser sends two messages per minute, and a few on connect. */
const mostMessages = 300

export interface Hub {
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Publishes to all clients with the right to get it, or to those that match `isMeant`. */
  publish(event: LiveEvent, isMeant?: (principal: Principal) => boolean): void
  /** Clients of the documented protocol get changes soon instead of at their next interval. */
  refresh(): void
  /** Closes sockets whose session, token or role has ended. */
  revalidate(): void
  clientCount(): number
  /** sent to all clients since the start */
  traffic(): Traffic
  /** called with the number of clients when one connects or disconnects */
  onClients: OnSignal<[count: number]>
  /** Accepts these messages from now on too. */
  accept(messages: readonly SocketMessage[]): void
  close(): Promise<void>
}

export interface HubEdges {
  state: State
  view: PlainView
  clock: Clock
  log: Logger
  /** Throws the refusal. */
  identify: (request: IncomingMessage) => Promise<Visitor>
  /** Throws when an address was refused too often. */
  countRefusal: (request: IncomingMessage) => void
  /** Marks the session of an open socket as used. */
  touch: (principal: Principal) => void
  caps?: SocketCaps | undefined
}

export function createHub({ state, view, clock, log, touch, ...edges }: HubEdges): Hub {
  const clients = new Set<Client>()
  const traffic: Traffic = { frames: 0, bytes: 0 }
  const countChanged = createSignal<[count: number]>()
  const messages: SocketMessage[] = []
  const counts = countSockets(edges.caps ?? socketCaps)
  const guard = createGuard(log)
  const plain = createPlainFeed(view, clock, guard)
  const onError = (error: unknown) => log.error({ err: error }, 'cannot build a live frame')
  const feeds = {
    live: createDeltaFeed('live', state, clock, onError),
    backups: createDeltaFeed('backups', state, clock, onError),
  }
  const upgrade = createUpgrade({ ...edges, counts, clock, log, accept })
  const stopKeepAlive = keepAlive({
    clients,
    clock,
    guard,
    revalidate,
    touch: ({ principal }) => touch(principal),
  })

  function revalidate() {
    for (const { socket, principal } of clients) {
      guard('checking a permission again', () => {
        if (!principal.isCurrent()) signOut(socket)
      })
    }
  }

  /** Sends nothing more. A client that does not answer the close frame is disconnected. */
  function signOut(socket: WebSocket) {
    socket.close(signedOutCode, 'Signed out')
    clock.after(1_000, () => socket.terminate())
  }

  function accept(socket: WebSocket, visitor: Visitor) {
    const { principal } = visitor
    const leave = counts.take(visitor)
    const client = newClient(socket, principal, traffic, clock)
    const received = new SlidingWindow(clock, 10_000)
    const joined = new Set<{ leave(client: Client): void }>()
    const isDelta = socket.protocol === DELTA_PROTOCOL
    const subscribe = (feed: DeltaFeed) => {
      if (joined.has(feed)) return
      joined.add(feed)
      feed.join(client)
    }
    /** Subscribes to exactly the listed slices, and always to the live slice. */
    const follow = (wanted: readonly Slice[]) => {
      for (const slice of slices) {
        if (slice === 'live' || wanted.includes(slice)) subscribe(feeds[slice])
        else if (joined.delete(feeds[slice])) feeds[slice].leave(client)
      }
    }
    const resend = createThrottle({
      clock,
      gapMs: liveTiming.rawDataMinGapMs,
      run() {
        if (isDelta) for (const feed of Object.values(feeds)) feed.resend(client)
        else plain.resend(client)
      },
      onError: (error) =>
        guard('sending the state on request', () => {
          throw error
        }),
    })
    function receive(data: RawData, isBinary: boolean) {
      client.heardAt = clock.monotonic()
      if (!isOpen(client)) return
      if (received.take(mostMessages) > 0) return socket.close(tooManyMessages, 'Too many messages')
      const understood = isBinary ? undefined : understand(String(data), messages)
      if (!understood) {
        sendEvent(client, { type: 'error', error: 'Unknown message.' }, clock)
        return
      }
      const admission = admit(understood.need, principal)
      if (!principal.isCurrent()) return signOut(socket)
      if (!admission.admitted) {
        sendEvent(client, { type: 'error', error: admission.reason }, clock)
        return
      }
      if (!understood.own) return understood.take(principal)
      const message = understood.own
      if (message.type === 'ping') {
        sendEvent(client, { type: 'pong', data: { timestamp: Math.floor(clock.now() / 1000) } }, clock)
      }
      if (message.type === 'subscribe' && isDelta) follow(message.slices)
      if (message.type === 'requestData') resend.call()
    }
    socket.on('message', (data, isBinary) => guard('a message', () => receive(data, isBinary)))
    socket.on('pong', () => (client.heardAt = clock.monotonic()))
    socket.on('error', (error) => log.debug({ err: error }, 'a live client broke the protocol'))
    socket.on('close', () => {
      leave()
      resend.cancel()
      clients.delete(client)
      for (const feed of joined) guard('leaving a feed', () => feed.leave(client))
      countChanged.emit(clients.size)
    })
    clients.add(client)
    countChanged.emit(clients.size)
    guard('the first frame', () => {
      if (isDelta) {
        subscribe(feeds.live)
      } else {
        joined.add(plain)
        plain.join(client)
      }
    })
  }

  return {
    handleUpgrade: upgrade.handle,
    publish(event, isMeant = () => true) {
      guard('an event', () => {
        const need = eventNeeds[event.type] ?? reader
        const frame = eventFrame(event)
        for (const client of clients) {
          const { principal } = client
          if (isMeant(principal) && admit(need, principal).admitted) sendEvent(client, frame, clock)
        }
        plain.changed()
      })
    },
    refresh: () => guard('an early state', plain.changed),
    revalidate,
    clientCount: () => clients.size,
    traffic: () => traffic,
    onClients: countChanged.on,
    accept: (more) => void messages.push(...more),
    async close() {
      stopKeepAlive()
      plain.stop()
      for (const feed of Object.values(feeds)) feed.stop()
      for (const { socket } of clients) socket.close(1001, 'Pulse is stopping')
      const cancel = clock.after(GOODBYE_MS, () => {
        for (const { socket } of clients) socket.terminate()
      })
      await upgrade.close()
      cancel()
    },
  }
}
