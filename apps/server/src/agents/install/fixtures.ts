import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { anInstallServer, type InstallServer } from './fixtures-server.ts'

interface OpenedHost {
  root: string
  newFiles(): string[]
  close(): Promise<void>
}

/**
 * Ground for each test of a file: a server that provides the agent and, after `open`, a host to install it
 * on.
 */
export function installGround<Host extends OpenedHost, Given>(open: (given?: Given) => Promise<Host>) {
  let server: InstallServer
  let host: Host | undefined
  beforeEach(async () => {
    server = await anInstallServer()
  })
  afterEach(async () => {
    await host?.close()
    host = undefined
    await server.close()
  })
  const pathOf = (name: string) => path.join(on.host.root, name)
  const on = {
    get server(): InstallServer {
      return server
    },
    get host(): Host {
      if (!host) throw new Error('no host was opened')
      return host
    },
    async aHost(given?: Given): Promise<void> {
      host = await open(given)
    },
    pathOf,
    read: (name: string) => fs.readFileSync(pathOf(name), 'utf8'),
    has: (name: string) => fs.existsSync(pathOf(name)),
    /** files written below the host's root */
    files: () =>
      on.host
        .newFiles()
        .filter(
          (name) => name.startsWith('root/') && fs.statSync(path.join(on.host.root, '..', name)).isFile(),
        ),
  }
  return on
}
