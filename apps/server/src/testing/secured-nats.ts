import fs from 'node:fs'
import path from 'node:path'
import type { Authority } from './certificates.ts'
import { freePort } from './free-port.ts'
import { type NatsServer, startTogether } from './nats-server.ts'

const deploy = path.join(import.meta.dirname, '../../../../deploy')

export interface SecuredNats {
  servers: readonly NatsServer[]
  /** for PULSE_NATS_URL: the address of each server */
  urls: readonly string[]
  /** Replaces a file that their configurations include. All of them read it again, as `nats-server --signal reload` does. */
  reload(name: string, text: string): Promise<void>
}

/**
 * Three servers with the configuration of deploy/pair, at loopback addresses. Each has a certificate of its own.
 * `files`: what their configurations include, by name.
 */
export async function startSecuredNats(
  folder: string,
  authority: Authority,
  files: Readonly<Record<string, string>>,
): Promise<SecuredNats> {
  const write = (name: string, text: string) => fs.writeFileSync(path.join(folder, name), text)
  for (const [name, text] of Object.entries(files)) write(name, text)
  const routes = await Promise.all([1, 2, 3].map(freePort))
  const addressOf = (n: number) => `127.0.0.${n}`
  const routeOf = (n: number) => `${addressOf(n)}:${routes[n - 1]}`
  const each = [1, 2, 3].map((n) => {
    const { cert, key } = authority.sign(`pulse-${n}`, `IP:${addressOf(n)}`)
    const text = fs
      .readFileSync(path.join(deploy, `pair/nats-${n}.conf`), 'utf8')
      .replaceAll('/etc/nats/server.pem', cert)
      .replaceAll('/etc/nats/server-key.pem', key)
      .replaceAll('/etc/nats/ca.pem', authority.file)
      .replace('/var/lib/nats', path.join(folder, `data-${n}`))
      .replace('0.0.0.0:6222', routeOf(n))
      .replaceAll(/pulse-(\d):6222/g, (_, other) => routeOf(Number(other)))
    write(`nats-${n}.conf`, text)
    return { args: ['-c', path.join(folder, `nats-${n}.conf`)], address: addressOf(n), storesElsewhere: true }
  })
  const servers = await startTogether(each)
  return {
    servers,
    urls: servers.map(({ port }, n) => `tls://${addressOf(n + 1)}:${port}`),
    async reload(name, text) {
      write(name, text)
      await Promise.all(servers.map((server) => server.reload()))
    },
  }
}

/** A file of deploy/collector for the NATS servers. */
export const collectorFile = (name: string): string =>
  fs.readFileSync(path.join(deploy, 'collector', name), 'utf8')
