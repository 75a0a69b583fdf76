import type { DeltaFrame, Guest, PatchFrame, SnapshotFrame } from '@pulse/contract'
import { expect, vi } from 'vitest'
import { createConnection } from './connection.ts'
import { createLiveEvents } from './events.ts'
import { createLiveSocket } from './socket.ts'
import { createLiveStore } from './store.ts'

/** A socket with the test as its server. */
class FakeSocket extends EventTarget {
  binaryType = ''
  readyState: number = WebSocket.CONNECTING
  protocol = ''
  sent: { type: string; [key: string]: unknown }[] = []
  closedWith: string | undefined

  send(text: string) {
    this.sent.push(JSON.parse(text) as { type: string })
  }
  close(_code?: number, reason?: string) {
    this.readyState = WebSocket.CLOSED
    this.closedWith = reason
  }
  accept(protocol = 'pulse.delta.1') {
    this.readyState = WebSocket.OPEN
    this.protocol = protocol
    this.dispatchEvent(new Event('open'))
  }
  lose(code = 1006) {
    this.readyState = WebSocket.CLOSED
    this.dispatchEvent(new CloseEvent('close', { code }))
  }
  text(message: unknown) {
    const data = typeof message === 'string' ? message : JSON.stringify(message)
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
  frame(frame: unknown) {
    const data = new TextEncoder().encode(JSON.stringify(frame)).buffer
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
}

export function aSocket(inflate?: (frame: DeltaFrame) => Promise<DeltaFrame>) {
  const sockets: FakeSocket[] = []
  const probes: number[] = []
  let isUp = false
  let random = 0
  const warnings: string[] = []
  const store = createLiveStore((run) => run())
  const connection = createConnection()
  const events = createLiveEvents()
  const socket = createLiveSocket(
    {
      open: (protocol) => {
        expect(protocol).toBe('pulse.delta.1')
        const opened = new FakeSocket()
        sockets.push(opened)
        return opened as unknown as WebSocket
      },
      inflate: async (data) => {
        const frame = JSON.parse(new TextDecoder().decode(data)) as DeltaFrame
        return inflate ? inflate(frame) : frame
      },
      now: () => Date.now(),
      monotonic: () => performance.now(),
      random: () => random,
      isServerUp: async () => {
        probes.push(performance.now())
        return isUp
      },
      warn: (message) => warnings.push(message),
    },
    { store, connection, events },
  )
  const latest = () => sockets.at(-1)!
  return {
    socket,
    sockets,
    latest,
    warnings,
    store,
    connection,
    events,
    /** monotonic ms of each probe */
    probes,
    setServerUp: (up: boolean) => void (isUp = up),
    setRandom: (next: number) => void (random = next),
    status: () => connection.get().status,
  }
}

export const snapshot = (rev = 1, ...vmids: number[]): SnapshotFrame => ({
  t: 'snapshot',
  s: 'live',
  epoch: 'e',
  rev,
  index: { guests: vmids.map((vmid) => `c:${vmid}`) },
  state: { guests: vmids.map((vmid) => ({ vmid, name: `vm ${vmid}` }) as Guest) },
})

export const rename = (from: number, name: string): PatchFrame => ({
  t: 'patch',
  s: 'live',
  epoch: 'e',
  from,
  rev: from + 1,
  set: { guests: { name: { i: [0], v: [name] } } },
})

export const heartbeat = (rev: number): PatchFrame => ({ t: 'patch', s: 'live', epoch: 'e', from: rev, rev })
export const flushMicrotasks = () => vi.advanceTimersByTimeAsync(0)

export async function connected() {
  const all = aSocket()
  all.socket.start()
  all.latest().accept()
  all.latest().frame(snapshot(1, 100))
  await flushMicrotasks()
  return all
}
