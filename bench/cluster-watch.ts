import type { EngineFigures, RoleFigures } from './cluster-figures.ts'
import type { Role, Roles } from './cluster-processes.ts'
import { bytesFrom } from './nats-monitor.ts'
import { watchFamily, watchProcess } from './process.ts'

const all: readonly Role[] = ['collect', 'judge', 'serve']

interface Spent {
  /** of all processes of the product */
  cpuPercent: number
  roles: Record<Role, RoleFigures>
  engines: EngineFigures
  /** to the NATS server */
  sentBytes: Record<Role, number>
}

const byRole = async <T>(of: (role: Role) => T | Promise<T>): Promise<Record<Role, T>> => {
  const entries = await Promise.all(all.map(async (role) => [role, await of(role)] as const))
  return Object.fromEntries(entries) as Record<Role, T>
}

/** What the processes of each role, and the engines, spend from now on. */
export async function watchRoles(started: Roles): Promise<{ end(): Promise<Spent> }> {
  const { monitor, natsPid, postgresPid } = started
  const sentBefore = await byRole((role) => bytesFrom(monitor, role))
  const processes = started.processes()
  await Promise.all(processes.map((one) => one.loop()))
  const watched = processes.map((one) => ({ ...one, spent: watchProcess(one.pid) }))
  const [nats, postgres] = [watchFamily(natsPid), watchFamily(postgresPid)]
  return {
    async end() {
      const ended = watched.map(({ role, loop, spent }) => ({ role, loop, ...spent.end() }))
      const engines = { natsCpuPercent: nats.end(), postgresCpuPercent: postgres.end() }
      const sent = await byRole((role) => bytesFrom(monitor, role))
      const roles = await byRole(async (role): Promise<RoleFigures> => {
        const own = ended.filter((one) => one.role === role)
        const loops = await Promise.all(own.map((one) => one.loop()))
        return {
          cpuPercent: total(own.map(({ cpuPercent }) => cpuPercent)),
          rssMB: Math.max(...own.map(({ rssMB }) => rssMB)),
          longestBlockMs: Math.max(...loops.flatMap(({ blocks }) => blocks)),
        }
      })
      return {
        cpuPercent: total(ended.map(({ cpuPercent }) => cpuPercent)),
        roles,
        engines,
        sentBytes: await byRole((role) => sent[role] - sentBefore[role]),
      }
    },
  }
}

const total = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0)
