import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { createLog, type Log } from './log.ts'
import type { Target } from './settings/targets.ts'

export interface Reply {
  status?: number
  headers?: Record<string, string>
  /** sent verbatim if it is text, otherwise as JSON */
  body?: unknown
}

export interface Asked {
  method: string
  path: string
  headers: http.IncomingHttpHeaders
  body: Buffer
}

interface Listener {
  asked: Asked[]
  /** highest number of simultaneous calls */
  most: () => number
}

/** `undefined` leaves the call open forever. */
type Answering = (asked: Asked) => Reply | undefined

async function listen(answer: Answering, at: string | number): Promise<Listener & { port: number }> {
  const asked: Asked[] = []
  let open = 0
  let most = 0
  const server = http.createServer(async (request, response) => {
    most = Math.max(most, ++open)
    response.on('close', () => open--)
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const { method = '', url = '', headers } = request
    const one = { method, path: url, headers, body: Buffer.concat(chunks) }
    asked.push(one)
    const reply = answer(one)
    if (!reply) return
    const { status = 200, body = '' } = reply
    response.writeHead(status, reply.headers)
    response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => {
    if (typeof at === 'string') server.listen(at, resolve)
    else server.listen(at, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address() as AddressInfo | string
  return { asked, most: () => most, port: typeof address === 'string' ? 0 : address.port }
}

/** A folder for one test. */
export function aFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pa-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A fake engine that answers on a socket. */
export async function anEngine(answer: (path: string) => Reply | undefined) {
  const socketPath = path.join(aFolder(), 'engine.sock')
  const listener = await listen(({ path }) => answer(path), socketPath)
  return { ...listener, address: { socketPath } }
}

/** A fake server that answers on loopback. */
export async function aServer(answer: Answering): Promise<Listener & { target: Target }> {
  const listener = await listen(answer, 0)
  return { ...listener, target: aTargetAt(listener.port) }
}

export const aTargetAt = (port: number): Target => ({
  url: `http://127.0.0.1:${port}`,
  token: 'tok-5ecret',
  insecure: false,
})

export function aLog(secrets: readonly string[] = []): { log: Log; lines: string[] } {
  const lines: string[] = []
  return {
    lines,
    log: createLog({ level: 'debug', secrets, now: () => 0, write: (line) => lines.push(line.trimEnd()) }),
  }
}

const fixtures = path.resolve(import.meta.dirname, '../../../../shared/fixtures/docker')
export const hasRecordings = fs.existsSync(fixtures)

/** A recorded answer of a real engine. */
export const recorded = (engine: string, name: string): unknown =>
  JSON.parse(fs.readFileSync(path.join(fixtures, engine, `${name}.json`), 'utf8'))
