import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import type { PostgresSettings } from '../db/postgres-settings.ts'
import { freePort } from './free-port.ts'

const programs = '/usr/lib/postgresql'

/** The programs of the newest installed version, as Debian installs it. */
export function programFolder(): string | undefined {
  const versions = fs.existsSync(programs) ? fs.readdirSync(programs).map(Number).filter(Number.isFinite) : []
  return versions.length > 0 ? path.join(programs, String(Math.max(...versions)), 'bin') : undefined
}

export const hasPostgres = (): boolean => programFolder() !== undefined

/** It refuses to run as root. */
export function postgresAccount(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const id = (what: string) => Number(execFileSync('id', [what, 'postgres']).toString())
  return { uid: id('-u'), gid: id('-g') }
}

export interface PostgresServer {
  port: number
  readonly pid: number
  /** a new, empty database */
  database(): Promise<PostgresSettings>
  /** runs SQL as its administrator */
  admin(sql: string, database?: string): Promise<Record<string, unknown>[]>
  /** `crash`: as after a kill -9 of all of its processes */
  halt(how?: 'crash'): Promise<void>
  rise(): Promise<void>
  remove(): Promise<void>
}

interface ServerOptions {
  /** replace its own settings of this server */
  settings?: Readonly<Record<string, string>>
  /** by name in its data folder, such as its certificate */
  files?: Readonly<Record<string, string>>
}

const mostAttempts = 3

/** A PostgreSQL server of its own, on loopback. */
export async function startPostgres({
  settings: more = {},
  files = {},
}: ServerOptions = {}): Promise<PostgresServer> {
  const bin = programFolder()!
  const own = postgresAccount()
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-postgres-'))
  if (own.uid !== undefined) fs.chownSync(folder, own.uid, own.gid!)
  const data = path.join(folder, 'data')
  const asOwner = { ...own, cwd: folder, env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8' } }
  execFileSync(
    path.join(bin, 'initdb'),
    ['-D', data, '-U', 'admin', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
    {
      ...asOwner,
      stdio: 'ignore',
    },
  )
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(data, name)
    fs.writeFileSync(file, content, { mode: 0o600 })
    if (own.uid !== undefined) fs.chownSync(file, own.uid, own.gid!)
  }
  let port = await freePort()
  const settings = () => ({ host: '127.0.0.1', port, user: 'admin', ssl: false as const })
  let server: ChildProcess | undefined
  let databases = 0

  async function rise() {
    const given = {
      listen_addresses: '127.0.0.1',
      port: String(port),
      unix_socket_directories: folder,
      // the machine does not lose power during a test
      fsync: 'off',
      ...more,
    }
    const options = Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const started = spawn(path.join(bin, 'postgres'), ['-D', data, ...options], {
      ...asOwner,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    server = started
    let said = ''
    await new Promise<void>((resolve, reject) => {
      started.stderr.setEncoding('utf8').on('data', (text: string) => {
        said += text
        if (/ready to accept (read-only )?connections/.test(said)) resolve()
      })
      started.once('exit', () => reject(new Error(`PostgreSQL has ended: ${said}`)))
    })
  }

  async function admin(sql: string, database = 'postgres') {
    const client = new pg.Client({ ...settings(), database })
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows
    } finally {
      await client.end()
    }
  }

  async function halt(how?: 'crash') {
    if (!server || server.exitCode !== null) return
    const ended = once(server, 'exit')
    server.kill(how === 'crash' ? 'SIGQUIT' : 'SIGINT')
    await ended
  }

  for (let attempt = 1; ; attempt++) {
    try {
      await rise()
      break
    } catch (error) {
      // The port was free a moment ago. Another program may have taken it since.
      if (attempt === mostAttempts) throw error
      port = await freePort()
    }
  }
  return {
    port,
    get pid() {
      return server!.pid!
    },
    rise,
    halt,
    admin,
    async database() {
      const name = `pulse${++databases}`
      await admin(`CREATE DATABASE ${name}`)
      return { ...settings(), database: name }
    },
    async remove() {
      await halt('crash')
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}
