// For tests only, like the package that it needs.
import { createSelfSigned } from '@pulse/lab'
import { systemDefaults, type DiscoveryConfig } from '@pulse/contract'
import type { FakeClock } from '@pulse/testkit'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import net from 'node:net'
import { onTestFinished } from 'vitest'
import type { Machine, MachineInterface } from '../machine.ts'

/** A listener on a loopback address until the test ends, with a record of its requests. */
export interface Listener {
  connections: number
  /** method and path of each request */
  asked: string[]
}

/** The lab does not use blocks below 127.64, so a scan finds no other servers there. */
export async function listenHttps(
  address: string,
  port: number,
  respond: RequestListener,
  organization = 'Example',
): Promise<Listener> {
  const certificate = await createSelfSigned('host', address, organization, Date.now())
  const seen: Listener = { connections: 0, asked: [] }
  const server = createServer({ cert: certificate.certPem, key: certificate.keyPem }, (request, response) => {
    seen.asked.push(`${request.method} ${request.url}`)
    respond(request, response)
  })
  server.on('tlsClientError', (_, socket) => socket.destroy())
  await open(server, address, port, seen)
  return seen
}

export async function listenTcp(
  address: string,
  port: number,
  accept: (socket: net.Socket) => void,
): Promise<Listener> {
  const seen: Listener = { connections: 0, asked: [] }
  await open(net.createServer(accept), address, port, seen)
  return seen
}

async function open(server: net.Server, address: string, port: number, seen: Listener) {
  const sockets = new Set<net.Socket>()
  server.on('connection', (socket: net.Socket) => {
    seen.connections++
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(port, address)
  await once(server, 'listening')
  onTestFinished(async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  })
}

const products = {
  pve: ['Proxmox Virtual Environment', '<script src="/pve2/js/pvemanagerlib.js?ver=8.4.1"></script>'],
  pbs: ['Proxmox Backup Server', '<script src="/js/proxmox-backup-gui.js"></script>'],
  pmg: ['Proxmox Mail Gateway', ''],
} as const

/** The start page of each product. */
export const startPage = (product: keyof typeof products, node: string): string => {
  const [title, script] = products[product]
  return `<!DOCTYPE html>\n<html>\n<head>\n<title>${node} - ${title}</title>\n${script}\n</head><body></body></html>`
}

export const showPage =
  (html: string): RequestListener =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end(html)

export const aConfig = (change: Partial<DiscoveryConfig> = {}): DiscoveryConfig => ({
  ...systemDefaults.discoveryConfig,
  ...change,
})

export const aMachine = (
  interfaces: MachineInterface[] = [],
  files: Record<string, string> = {},
): Machine => ({
  interfaces: () => interfaces,
  file: (path) => files[path],
})

/** Advances the clock until the condition holds, with real socket events in between. */
export async function driveUntil(clock: FakeClock, isSo: () => boolean, stepMs = 10): Promise<void> {
  for (let step = 0; !isSo(); step++) {
    if (step > 5_000) throw new Error('it does not come about')
    await clock.advance(stepMs)
    // not a wait for a condition: sockets get a turn between two steps of the driven clock
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}
