import { createSelfSigned } from '@pulse/lab'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { vi } from 'vitest'
import { root } from '../../scripts/pinned-node.mjs'
import { within } from '../../scripts/test-limits.ts'

export type ProxyName = 'nginx' | 'haproxy'
const programs: Record<ProxyName, string> = { nginx: '/usr/sbin/nginx', haproxy: '/usr/sbin/haproxy' }

/** Whether the program is installed; reports if it is not. */
export function hasProxy(name: ProxyName): boolean {
  const has = fs.existsSync(programs[name])
  if (!has) console.log(`skipped: no ${name}`)
  return has
}

/** The real program with one of our examples. Only addresses and files differ from the example. */
export async function startProxy(name: ProxyName, example: string, target: string) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-proxy-'))
  const port = await freePort()
  const { keyPem, certPem } = await createSelfSigned('proxy', '127.0.0.1', 'Examples', Date.now())
  const file = (one: string, text: string) => {
    fs.writeFileSync(path.join(folder, one), text)
    return path.join(folder, one)
  }
  const text = fs
    .readFileSync(path.join(root, 'deploy/reverse-proxy', example), 'utf8')
    .replaceAll('127.0.0.1:7655', new URL(target).host)
    .replace('/etc/ssl/pulse/fullchain.pem', file('chain.pem', certPem))
    .replace('/etc/ssl/pulse/key.pem', file('key.pem', keyPem))
    .replace('/etc/ssl/pulse/fullchain-and-key.pem', file('both.pem', certPem + keyPem))
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace('bind :443', `bind 127.0.0.1:${port}`)
  const config = file('proxy.conf', name === 'nginx' ? nginxWith(folder, text) : text)
  const args = name === 'nginx' ? ['-p', folder, '-e', 'stderr', '-c', config] : ['-f', config]
  const child = spawn(programs[name], args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += String(part)))
  const ended = once(child, 'exit')
  const listens = () =>
    new Promise<boolean>((resolve, reject) => {
      if (child.exitCode !== null) reject(new Error(`${name} did not start: ${said}`))
      const socket = net.connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
      socket.on('connect', () => socket.destroy())
    })
  await vi.waitUntil(listens, { timeout: within(30_000) })
  return {
    url: `https://127.0.0.1:${port}`,
    async close() {
      child.kill('SIGTERM')
      await ended
      fs.rmSync(folder, { recursive: true })
    },
  }
}

/** The content of a machine's own nginx.conf around the included files. */
const nginxWith = (folder: string, text: string) => `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 256; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxied;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  ${text}
}
`

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
