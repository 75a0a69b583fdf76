import type { DockerContainer, DockerHost } from '@pulse/contract'
import { type AgentKind, agentKind, type Host, isShownOnline } from '../agent-kind.ts'
import { fitReport } from './limits.ts'
import { clockAhead, startOf, sumContainers, toContainers } from './map.ts'
import { type DockerFacts, type ReadReport, readReport, usualIntervalSeconds } from './read-report.ts'

/** The data stored from a report. */
export interface DockerKept {
  /** start time of the host; epoch ms by the server's clock */
  startedAt: number | undefined
  /** by record id */
  containers: ReadonlyMap<string, DockerContainer>
}

const factNames: Readonly<Record<keyof DockerFacts, true>> = {
  hostname: true,
  displayName: true,
  machineId: true,
  agentVersion: true,
  intervalSeconds: true,
  os: true,
  kernelVersion: true,
  architecture: true,
  dockerVersion: true,
  engine: true,
  cpus: true,
  totalMemoryBytes: true,
}

/** The agent of container hosts. */
export const docker: AgentKind = agentKind<DockerFacts, ReadReport, DockerKept>({
  name: 'docker',
  nothingKnown: { cpus: 0, totalMemoryBytes: 0, intervalSeconds: usualIntervalSeconds },
  nothingKept: { startedAt: undefined, containers: new Map() },
  read: readReport,
  keep(whole, host, others, nowMs) {
    const report = fitReport(
      whole,
      host.token?.id,
      others.map(({ token, bytes, kept: { containers } }) => ({ token, bytes, containers })),
    )
    const clockAheadMinutes = clockAhead(report, host.clockAheadMinutes, nowMs)
    const { startedAt, containers } = host.kept
    return {
      kept: {
        startedAt: startOf(report.uptimeSeconds, startedAt, nowMs),
        containers: toContainers(
          report,
          { key: host.key, id: host.id, clockAheadMinutes, containers },
          nowMs,
        ),
      },
      cut: report.cut,
      bytes: report.bytes,
      clockAheadMinutes,
    }
  },
  records: (host) => ({
    dockerHosts: new Map([[host.key, toHostRecord(host)]]),
    dockerContainers: host.kept.containers,
  }),
  keptIn(recordsOf) {
    const [host] = recordsOf('dockerHosts').values() as Iterable<DockerHost>
    if (!host) return undefined
    const containers = new Map(recordsOf('dockerContainers') as ReadonlyMap<string, DockerContainer>)
    const { startedAt, cut = [], clockAheadMinutes = 0 } = host
    const facts = Object.fromEntries(Object.entries(host).filter(([name]) => Object.hasOwn(factNames, name)))
    return {
      facts,
      wasOnline: host.status === 'online',
      isHidden: host.hidden ?? false,
      pendingUninstall: host.pendingUninstall ?? false,
      kept: { startedAt, containers },
      cut,
      // it counts with the next report
      bytes: 0,
      clockAheadMinutes,
    }
  },
  counts: ({ containers }) => ({ containers: containers.size }),
})

function toHostRecord(host: Host<DockerFacts, DockerKept>): DockerHost {
  const { facts, token, command, conflict, clockAheadMinutes, cut } = host
  const { startedAt, containers } = host.kept
  return {
    id: host.id,
    agentId: host.id,
    ...facts,
    ...sumContainers(containers),
    ...(startedAt !== undefined && { startedAt }),
    status: isShownOnline(host) ? 'online' : 'offline',
    ...(token && { tokenId: token.id, tokenName: token.name, tokenHint: token.hint }),
    pendingUninstall: host.pendingUninstall,
    hidden: host.hidden,
    ...(command && { command }),
    ...(conflict && { conflict }),
    ...(clockAheadMinutes !== 0 && { clockAheadMinutes }),
    ...(cut.length > 0 && { cut: [...cut] }),
    source: host.key,
  }
}
