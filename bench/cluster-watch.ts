import type { EngineFigures, RoleFigures, RolesFigures } from './cluster-figures.ts'
import type { Role, Roles } from './cluster-processes.ts'
import { bytesFrom } from './nats-monitor.ts'
import { watchFamily, watchProcess } from './process.ts'

const all: readonly Role[] = ['collect', 'judge', 'serve']

interface Spent {
  /** of all processes of the product */
  cpuPercent: number
  roles: Record<Role, Omit<RoleFigures, 'longestBlockMs'>>
  engines: EngineFigures
}

interface Watched {
  /** Ends the time whose CPU counts. Event loops are measured from now on. */
  spent(): Promise<Spent>
  end(): Promise<{ longestBlockMs: Record<Role, number>; sentBytes: Record<Role, number> }>
}

const byRole = async <T>(of: (role: Role) => T | Promise<T>): Promise<Record<Role, T>> => {
  const entries = await Promise.all(all.map(async (role) => [role, await of(role)] as const))
  return Object.fromEntries(entries) as Record<Role, T>
}

/** What the processes of each role, and the engines, spend from now on. `sentBytes`: to the NATS server. */
export async function watchRoles(started: Roles): Promise<Watched> {
  const { monitor, natsPid, postgresPid } = started
  const sentBefore = await byRole((role) => bytesFrom(monitor, role))
  const processes = started.processes()
  for (const one of processes) one.still()
  const watched = processes.map(({ role, pid }) => ({ role, spent: watchProcess(pid) }))
  const [nats, postgres] = [watchFamily(natsPid), watchFamily(postgresPid)]
  return {
    async spent() {
      const ended = watched.map(({ role, spent }) => ({ role, ...spent.end() }))
      const engines = { natsCpuPercent: nats.end(), postgresCpuPercent: postgres.end() }
      await Promise.all(processes.map((one) => one.loop()))
      const roles = await byRole((role) => {
        const own = ended.filter((one) => one.role === role)
        return {
          cpuPercent: total(own.map(({ cpuPercent }) => cpuPercent)),
          rssMB: Math.max(...own.map(({ rssMB }) => rssMB)),
        }
      })
      return { cpuPercent: total(ended.map(({ cpuPercent }) => cpuPercent)), roles, engines }
    },
    async end() {
      const sent = await byRole((role) => bytesFrom(monitor, role))
      const longestBlockMs = await byRole(async (role) => {
        const own = processes.filter((one) => one.role === role)
        const loops = await Promise.all(own.map((one) => one.loop()))
        return Math.max(...loops.flatMap(({ blocks }) => blocks))
      })
      return { longestBlockMs, sentBytes: await byRole((role) => sent[role] - sentBefore[role]) }
    },
  }
}

export const withBlocks = (roles: Spent['roles'], longestBlockMs: Record<Role, number>): RolesFigures => ({
  collect: { ...roles.collect, longestBlockMs: longestBlockMs.collect },
  judge: { ...roles.judge, longestBlockMs: longestBlockMs.judge },
  serve: { ...roles.serve, longestBlockMs: longestBlockMs.serve },
})

const total = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0)
