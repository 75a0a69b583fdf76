import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { reportFailure } from '../report.ts'
import { ControlError } from './check.ts'
import type { LabControl } from './control.ts'
import { findOperation } from './operations.ts'
import { closeServer } from '../loopback.ts'

export interface ControlServer {
  url: string
  close(): Promise<void>
}

const host = '127.0.0.1'
const maxBodyBytes = 1024 * 1024

export async function openControlServer(control: LabControl, port: number): Promise<ControlServer> {
  const server = createServer((request, response) => {
    answer(control, request, response).catch((error: unknown) => {
      reportFailure(`control ${request.method} ${request.url}`, error)
      reply(response, 500, { error: 'the lab failed; see its output' })
    })
  })
  server.listen(port, host)
  await once(server, 'listening')
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `http://${host}:${bound}`,
    close: () => closeServer(server),
  }
}

async function answer(
  control: LabControl,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refusal = refusalOf(request)
  if (refusal) return reply(response, 403, { error: refusal })
  try {
    const url = new URL(request.url ?? '/', `http://${host}`)
    const operation = findOperation(request.method ?? 'GET', url)
    const body = request.method === 'GET' ? undefined : await readJson(request)
    const result = await operation(control, body)
    reply(response, 200, result ?? { ok: true })
  } catch (error) {
    if (!(error instanceof ControlError)) throw error
    reply(response, error.status, { error: error.message })
  }
}

/** Protects the lab from web pages in a browser on this machine, and from DNS rebinding. */
function refusalOf(request: IncomingMessage): string | undefined {
  const name = (request.headers.host ?? '').replace(/:\d+$/, '')
  if (name !== host && name !== 'localhost') return `host ${name} is not served`
  if (request.method !== 'GET' && request.headers['x-lab-control'] !== '1')
    return 'header X-Lab-Control: 1 is missing'
  return undefined
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBodyBytes) throw new ControlError(400, `body is larger than ${maxBodyBytes} bytes`)
    chunks.push(chunk)
  }
  const text = Buffer.concat(chunks).toString()
  if (text === '') return {}
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw Object.assign(new ControlError(400, 'body is not JSON'), { cause })
  }
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent) return
  const text = `${JSON.stringify(body, undefined, 2)}\n`
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
  response.end(text)
}
