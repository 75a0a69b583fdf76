import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { agentProtocol } from '../protocol.ts'
import { installScript } from './script.ts'

const { install } = agentProtocol

/** A small program that accepts --version and runs for the given time. Only its name matters here. */
export const agentBytes = fs.readFileSync('/bin/sleep')

export const sum = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

export interface InstallServer {
  url: string
  asked: { method: string; path: string; token: string | undefined }[]
  /** the agent that it provides from now on */
  agent: { status: number; bytes: Buffer }
  isDevelopment: boolean
  /** status of the call that readmits a host */
  reenroll: number
  /** Called for every request before it is answered. */
  onAsked: () => void
  /** its script for a host, with the checksum of its agent unless the test overrides it */
  script(root: string, checksum?: string): string
  close(): Promise<void>
}

export async function anInstallServer(): Promise<InstallServer> {
  const http = createServer((request, response) => {
    const { method = '', url: path = '', headers } = request
    server.asked.push({ method, path, token: headers['x-api-token'] as string | undefined })
    server.onAsked()
    const [status, body] = answerTo(method, path)
    response.writeHead(status).end(body)
  })
  function answerTo(method: string, path: string): [number, string | Buffer] {
    if (method === 'POST') return [server.reenroll, '{}']
    if (path.startsWith('/download/')) return [server.agent.status, server.agent.bytes]
    if (path === '/api/server/info') {
      return [200, JSON.stringify({ isDevelopment: server.isDevelopment, version: '1.2.3' })]
    }
    return path === '/install-docker-agent.sh' ? [200, served] : [404, '']
  }
  let served = ''
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  const server: InstallServer = {
    url: `http://127.0.0.1:${port}`,
    asked: [],
    agent: { status: 200, bytes: agentBytes },
    isDevelopment: false,
    reenroll: 200,
    onAsked: () => {},
    script(root, checksum = sum(server.agent.bytes)) {
      served = installScript(install, { checksums: { 'linux-amd64': checksum }, port, root })
      return served
    },
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
  return server
}

/** The arguments of all processes on this machine, which `ps` shows to every user. */
export const processList = () =>
  fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      } catch {
        return '' // the process has ended
      }
    })
