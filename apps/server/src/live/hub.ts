import { ClientMessage, DELTA_PROTOCOL, type LiveEvent, liveTiming, signedOutCode } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { type WebSocket, WebSocketServer } from 'ws'
import { AppError } from '../app-error.ts'
import { admit, type Need } from '../auth/gate.ts'
import type { Principal } from '../auth/principal.ts'
import type { PlainView } from '../state/plain-view.ts'
import type { State } from '../state/state.ts'
import { type Client, sendEvent } from './client.ts'
import { createDeltaFeed, type DeltaFeed } from './delta-feed.ts'
import { createPlainFeed } from './plain-feed.ts'

const reader: Need = { access: 'user', scope: 'monitoring:read' }
/** Who may open the socket, and who may send each kind of message: the same table as for calls. */
export const socketNeed: Need = { ...reader }
export const messageNeeds: Record<ClientMessage['type'], Need> = {
  ping: { ...reader },
  pong: { ...reader },
  requestData: { ...reader },
  subscribe: { ...reader },
}

const administrator: Need = { access: 'admin', scope: 'settings:read' }
/** Events that say more about the network than every reader may know; the others go to everybody. */
export const eventNeeds: Partial<Record<LiveEvent['type'], Need>> = {
  node_auto_registered: administrator,
  discovery_started: administrator,
  discovery_progress: administrator,
  discovery_server_found: administrator,
  discovery_update: administrator,
  discovery_complete: administrator,
}

/** A client that has not drained for this long is cut off. */
const STALLED_MS = 30_000
/** A client that sent nothing, not even a pong, for this long is gone. */
const SILENT_MS = 75_000
const MAX_MESSAGE_BYTES = 64 * 1024

export interface Hub {
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  publish(event: LiveEvent): void
  /** Closes the sockets of those whose session, token or role has ended. */
  revalidate(): void
  clientCount(): number
  close(): Promise<void>
}

export interface HubEdges {
  state: State
  view: PlainView
  clock: Clock
  log: Logger
  /** Throws its refusal. */
  identify: (request: IncomingMessage) => Promise<Principal>
  /** An open socket keeps its session in use. */
  touch: (principal: Principal) => void
  onClientCount: (count: number) => void
}

export function createHub({ state, view, clock, log, identify, touch, onClientCount }: HubEdges): Hub {
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    handleProtocols: (offered) => (offered.has(DELTA_PROTOCOL) ? DELTA_PROTOCOL : false),
  })
  const clients = new Set<Client>()
  const plain = createPlainFeed(view, clock)
  const onError = (error: unknown) => log.error({ err: error }, 'a live frame could not be made')
  const feeds = {
    live: createDeltaFeed('live', state, clock, onError),
    backups: createDeltaFeed('backups', state, clock, onError),
  }
  let cancelPing = schedulePing()

  function schedulePing() {
    return clock.after(liveTiming.pingMs, () => {
      const now = clock.now()
      revalidate()
      for (const client of clients) keepAlive(client, now)
      cancelPing = schedulePing()
    })
  }

  function keepAlive(client: Client, now: number) {
    const stalled = client.behindSince !== undefined && now - client.behindSince > STALLED_MS
    if (stalled || now - client.heardAt > SILENT_MS) {
      client.socket.terminate()
      return
    }
    touch(client.principal)
    client.socket.ping()
    sendEvent(client, { type: 'ping', data: { timestamp: Math.floor(now / 1000) } })
  }

  function revalidate() {
    for (const { socket, principal } of clients) if (!principal.isCurrent()) signOut(socket)
  }

  /** Nothing more goes out; whoever does not answer the close is cut off. */
  function signOut(socket: WebSocket) {
    socket.close(signedOutCode, 'Signed out')
    clock.after(1_000, () => socket.terminate())
  }

  function accept(socket: WebSocket, principal: Principal) {
    const client: Client = { socket, principal, heardAt: clock.now(), behindSince: undefined }
    const joined: { leave(client: Client): void }[] = []
    const isDelta = socket.protocol === DELTA_PROTOCOL
    const subscribe = (feed: DeltaFeed) => {
      if (joined.includes(feed)) return
      joined.push(feed)
      feed.join(client)
    }
    socket.on('message', (data, isBinary) => {
      client.heardAt = clock.now()
      const message = isBinary ? undefined : parse(String(data))
      if (!message) {
        sendEvent(client, { type: 'error', error: 'This message is not understood.' })
        return
      }
      const admission = admit(messageNeeds[message.type], principal)
      if (!principal.isCurrent()) return signOut(socket)
      if (!admission.admitted) {
        sendEvent(client, { type: 'error', error: admission.reason })
        return
      }
      if (message.type === 'ping') {
        sendEvent(client, { type: 'pong', data: { timestamp: Math.floor(clock.now() / 1000) } })
      }
      if (message.type === 'subscribe' && isDelta) for (const slice of message.slices) subscribe(feeds[slice])
      if (message.type === 'requestData') {
        if (isDelta) for (const feed of Object.values(feeds)) feed.resend(client)
        else plain.resend(client)
      }
    })
    socket.on('pong', () => (client.heardAt = clock.now()))
    socket.on('error', (error) => log.debug({ err: error }, 'a live client broke the protocol'))
    socket.on('close', () => {
      clients.delete(client)
      for (const feed of joined) feed.leave(client)
      onClientCount(clients.size)
    })
    clients.add(client)
    onClientCount(clients.size)
    if (isDelta) {
      subscribe(feeds.live)
    } else {
      joined.push(plain)
      plain.join(client)
    }
  }

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
    const onError = () => socket.destroy()
    socket.on('error', onError)
    if (request.url?.split('?')[0] !== '/ws') return refuse(socket, 404, 'Not found')
    try {
      const principal = await identify(request)
      socket.off('error', onError)
      if (socket.destroyed) return
      server.handleUpgrade(request, socket, head, (opened) => accept(opened, principal))
    } catch (error) {
      if (error instanceof AppError) return refuse(socket, error.statusCode, error.message)
      log.error({ err: error }, 'a live connection could not be opened')
      refuse(socket, 500, 'Something went wrong inside Pulse.')
    }
  }

  return {
    handleUpgrade: (request, socket, head) => void upgrade(request, socket, head),
    publish(event) {
      const need = eventNeeds[event.type] ?? reader
      for (const client of clients) {
        if (admit(need, client.principal).admitted) sendEvent(client, event)
      }
      plain.changed()
    },
    revalidate,
    clientCount: () => clients.size,
    async close() {
      cancelPing()
      plain.stop()
      for (const feed of Object.values(feeds)) feed.stop()
      for (const { socket } of clients) socket.close(1001, 'Pulse is stopping')
      const cancel = clock.after(1_000, () => {
        for (const { socket } of clients) socket.terminate()
      })
      await new Promise<void>((resolve) => server.close(() => resolve()))
      cancel()
    },
  }
}

function parse(text: string): ClientMessage | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const message = ClientMessage.safeParse(value)
  return message.success ? message.data : undefined
}

function refuse(socket: Duplex, status: number, reason: string) {
  const body = JSON.stringify({ error: reason })
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}
