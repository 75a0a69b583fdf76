import type { Clock } from '@pulse/domain'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { realClock } from '../edges.ts'
import { createServer } from '../server.ts'

export interface TestServer {
  url: string
  dataDir: string
  /** every log line so far */
  logLines: string[]
  call(
    method: string,
    where: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: unknown; headers: Headers; text: string }>
  /** Ends the server and starts it again on the same data. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** The whole product on a port of its own and a data folder of its own, without the browser program. */
export async function startTestServer(clock: Clock = realClock): Promise<TestServer> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-server-'))
  const logLines: string[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => void logLines.push(line) })
  const start = () =>
    createServer(
      {
        dataDir,
        listenAddress: '127.0.0.1',
        port: 0,
        encryptionKeyFile: undefined,
        logLevel: 'debug',
        logPretty: false,
        webDir: undefined,
      },
      { clock, log, env: {} },
    )
  let server = await start()
  return {
    get url() {
      return server.url
    },
    dataDir,
    logLines,
    async call(method, where, body, headers = {}) {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const response = await fetch(server.url + where, {
        method,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: text }),
      })
      const answer = await response.text()
      const isJson = response.headers.get('content-type')?.startsWith('application/json')
      return {
        status: response.status,
        body: isJson && answer ? (JSON.parse(answer) as unknown) : undefined,
        headers: response.headers,
        text: answer,
      }
    },
    async restart() {
      await server.stop()
      server = await start()
    },
    async stop() {
      await server.stop()
      fs.rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
