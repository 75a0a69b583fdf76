import type { ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { startServer } from '../scripts/estate.mjs'
import { urlOf } from '../apps/server/src/testing/database-of-tests.ts'
import { freePort } from '../apps/server/src/testing/free-port.ts'
import { type NatsServer, startNats, startNatsCluster } from '../apps/server/src/testing/nats-server.ts'
import { startPostgres } from '../apps/server/src/testing/postgres-server.ts'
import { ended, type Loop, loopOf, serverEnv } from './estate.ts'
import { ownProduct } from './arguments.ts'

export type Role = 'collect' | 'judge' | 'serve'

/** A running process of the built product, with some of its roles. */
export interface RoleProcess {
  role: Role
  url: string
  pid: number
  /** iterations of its event loop since the last call */
  loop(): Promise<Loop>
  /** Its event loop is not measured until the next `loop`. */
  still(): void
  /** as with kill -9 */
  kill(): Promise<void>
}

export interface Roles {
  /** those that run, in the order of their starts */
  processes(role?: Role): RoleProcess[]
  start(role: Role, own?: Own): Promise<RoleProcess>
  /** a page of the NATS server's monitor, such as `connz` */
  monitor: string
  natsPid: number
  postgresPid: number
  stop(): Promise<void>
}

/** What one process has of its own. */
interface Own {
  env?: Record<string, string>
  /** modules that are loaded into it */
  imports?: readonly string[]
}

interface Wanted {
  roles: readonly Role[]
  /** variables of all processes */
  env?: Record<string, string>
  /** one has a monitor; three keep copies for one another */
  natsServers?: 1 | 3
  /** Their console goes to files: they warn while others are killed. */
  isQuiet?: boolean
}

/** Starts one process for each role on a PostgreSQL and on NATS servers of their own. */
export async function startRoles({ roles, env = {}, natsServers = 1, isQuiet }: Wanted): Promise<Roles> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-bench-cluster-'))
  const monitorPort = await freePort()
  const [postgres, nats] = await Promise.all([
    startPostgres(),
    natsServers === 1
      ? startNats(['-m', String(monitorPort)]).then((one): NatsServer[] => [one])
      : startNatsCluster(natsServers),
  ])
  const shared = {
    PULSE_DATABASE_URL: urlOf(await postgres.database()),
    PULSE_NATS_URL: nats.map(({ port }) => `nats://127.0.0.1:${port}`).join(),
    PULSE_ENCRYPTION_KEY_FILE: path.join(folder, 'key'),
    ...env,
  }
  const running = new Map<RoleProcess, ChildProcess>()
  let starts = 0

  async function start(role: Role, { env: own, imports }: Own = {}): Promise<RoleProcess> {
    const dataDir = path.join(folder, `${++starts}-${role}`)
    fs.mkdirSync(dataDir)
    const log = path.join(dataDir, 'console')
    const output = isQuiet ? fs.openSync(log, 'a') : 'inherit'
    const variables = { ...serverEnv(dataDir, imports), ...shared, PULSE_ROLES: role, ...own }
    const { child, url } = await startServer(variables, ownProduct, output)
      .catch((error: Error) => {
        if (isQuiet) error.message += `: ${fs.readFileSync(log, 'utf8').slice(-2_000)}`
        throw error
      })
      .finally(() => typeof output === 'number' && fs.closeSync(output))
    const started: RoleProcess = {
      role,
      url,
      pid: child.pid!,
      loop: () => loopOf(child),
      still: () => void child.send('still'),
      async kill() {
        running.delete(started)
        await ended(child, 'SIGKILL')
      },
    }
    running.set(started, child)
    return started
  }

  const made: Roles = {
    processes: (role) => [...running.keys()].filter((one) => role === undefined || one.role === role),
    start,
    monitor: `http://127.0.0.1:${monitorPort}`,
    natsPid: nats[0]!.pid,
    postgresPid: postgres.pid,
    async stop() {
      await Promise.all([...running.values()].map((child) => ended(child)))
      await Promise.all([postgres.remove(), ...nats.map((one) => one.remove())])
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
  try {
    // the first one creates the key
    for (const role of roles) await start(role)
  } catch (error) {
    await made.stop()
    throw error
  }
  return made
}
