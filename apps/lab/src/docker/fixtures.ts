import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { aLab } from '../fixtures.ts'
import type { LabOptions } from '../options.ts'

export interface Asked {
  method: string
  path: string
  headers: IncomingHttpHeaders
  /** Names and values as received, in their order. */
  rawHeaders: readonly string[]
  body: Buffer
}

/** A server for agents in a test: records the requests, and answers as configured. */
export interface Receiver {
  url: string
  asked: Asked[]
  /** The answer to the next reports. */
  answer: { status: number; headers?: Record<string, string>; body: unknown }
}

export async function aReceiver(): Promise<Receiver> {
  const receiver: Receiver = { url: '', asked: [], answer: { status: 200, body: { success: true } } }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers, rawHeaders } = request
      receiver.asked.push({ method, path, headers, rawHeaders, body: Buffer.concat(chunks) })
      const { status, headers: more, body } = receiver.answer
      response.writeHead(status, { 'Content-Type': 'application/json', ...more }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return receiver
}

export const noon = Date.parse('2026-07-01T12:00:00Z')

/** Container hosts whose agents report to a receiver on demand. */
export async function someAgents(options: LabOptions = {}) {
  const receiver = await aReceiver()
  const { lab } = await aLab({ nodes: 1, guests: 0, dockerHosts: 2, now: () => noon, ...options })
  lab.control.reportTo({ url: receiver.url, token: 'secret', intervalSeconds: 0 })
  return { lab, control: lab.control, receiver }
}
