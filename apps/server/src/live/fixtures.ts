import type { Guest } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { aMeta } from '@pulse/testkit'
import { randomBytes } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { pino } from 'pino'
import type { AppError } from '../app-error.ts'
import type { Principal } from '../auth/principal.ts'
import { realClock } from '../edges.ts'
import { createPlainView } from '../state/plain-view.ts'
import { createState, type State } from '../state/state.ts'
import type { SocketCaps } from './caps.ts'
import { createHub, type Hub } from './hub.ts'

export const aGuestOf = (vmid: number, more: Partial<Guest> = {}): Guest => ({
  id: `lab-pve1-${vmid}`,
  instance: 'lab',
  node: 'pve1',
  vmid,
  name: `guest ${vmid}`,
  type: 'qemu',
  status: 'running',
  cpu: 0,
  cpus: 2,
  template: false,
  source: 'pve-1',
  ...more,
})

/** Guests with incompressible names: together at least `bytes` in any encoding. */
export const bulky = (bytes: number): Guest[] =>
  Array.from({ length: 400 }, (_, n) =>
    aGuestOf(n, { name: randomBytes(Math.ceil(bytes / 400)).toString('base64') }),
  )

export interface GivenHub {
  hub: Hub
  state: State
  url: string
  port: number
  /** errors that the server logged */
  errors: string[]
  /** the next principal, or the refusal of the next client */
  next: { visitor: { principal: Principal; client: string }; refusal: AppError | undefined }
  /** the number of counted refusals */
  refusals: number
  /** called when a refusal is counted */
  onRefusal: () => void
  /** the server's ends of all open connections */
  sockets: Set<Socket>
  observe(...guests: Guest[]): void
  stop(): Promise<void>
}

export const aPrincipal = (more: Partial<Principal> = {}): Principal => ({
  method: 'session',
  id: 'user:1',
  name: 'anna',
  role: 'viewer',
  isCurrent: () => true,
  ...more,
})

/** The hub on a real port, without the rest of the product. */
export async function startHub(clock: Clock = realClock, caps?: SocketCaps): Promise<GivenHub> {
  const errors: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void errors.push(line) })
  const state = createState(aMeta())
  const sockets = new Set<Socket>()
  const given: GivenHub = {
    hub: undefined as never,
    state,
    url: '',
    port: 0,
    errors,
    next: { visitor: { principal: aPrincipal(), client: '192.0.2.1' }, refusal: undefined },
    refusals: 0,
    onRefusal: () => {},
    sockets,
    observe: (...guests) =>
      state.observe({
        source: 'pve-1',
        records: { guests: new Map(guests.map((g) => [`pve-1:${g.vmid}`, g])) },
        state: { name: 'lab', kind: 'pve', health: 'healthy', lastSeen: clock.now() },
      }),
    async stop() {
      await given.hub.close()
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
  given.hub = createHub({
    state,
    view: createPlainView(state, clock),
    clock,
    log,
    identify: async () => {
      if (given.next.refusal) throw given.next.refusal
      return given.next.visitor
    },
    countRefusal() {
      given.refusals++
      given.onRefusal()
    },
    caps,
    touch: () => {},
  })
  const server = http.createServer((_, response) => response.end())
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('upgrade', given.hub.handleUpgrade)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  given.port = (server.address() as AddressInfo).port
  given.url = `http://127.0.0.1:${given.port}`
  return given
}
