import type { DockerContainer, DockerHost } from '@pulse/contract'
import { BUILT_AT } from './builders.ts'

const GiB = 1024 ** 3

/** A host that reports every 30 seconds. */
export function aDockerHost(change: Partial<DockerHost> = {}): DockerHost {
  const { id = 'dock1' } = change
  return {
    id,
    agentId: id,
    hostname: id,
    displayName: id,
    os: 'Debian GNU/Linux 13 (trixie)',
    kernelVersion: '6.12.41',
    architecture: 'x86_64',
    dockerVersion: '28.3.3',
    cpus: 4,
    totalMemoryBytes: 16 * GiB,
    startedAt: BUILT_AT - 12 * 86_400_000,
    status: 'online',
    intervalSeconds: 30,
    agentVersion: '5.1.0',
    pendingUninstall: false,
    hidden: false,
    source: id,
    ...change,
  }
}

/** A running container of dock1. In another state it has neither load nor ports. */
export function aDockerContainer(change: Partial<DockerContainer> = {}): DockerContainer {
  const { host = 'dock1', name = 'web', state = 'running' } = change
  const running = state === 'running'
  return {
    id: `${name}${host}`.padEnd(64, '0'),
    host,
    name,
    image: 'nginx:1.29',
    state,
    status: running ? 'Up 2 hours' : 'Exited (0) 2 hours ago',
    cpuPercent: running ? 5 : 0,
    memoryPercent: running ? 10 : 0,
    memoryUsageBytes: running ? GiB / 5 : 0,
    memoryLimitBytes: 2 * GiB,
    restartCount: 0,
    exitCode: 0,
    createdAt: BUILT_AT - 5 * 86_400_000,
    ...(running && { startedAt: BUILT_AT - 7_200_000 }),
    ...(running && { ports: [{ privatePort: 80, publicPort: 8080, protocol: 'tcp' }] }),
    networks: [{ name: 'bridge', ipv4: '172.17.0.2' }],
    source: host,
    ...change,
  }
}
