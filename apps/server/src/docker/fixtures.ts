import type { DockerReport, ReportedContainer } from '@pulse/contract'

/** A container as the agent of Pulse 4.x reports it. */
export const aContainer = (change: Partial<ReportedContainer> = {}): ReportedContainer => ({
  id: 'c'.repeat(64),
  name: 'web',
  image: 'nginx:1.27',
  createdAt: '2026-01-01T10:00:00Z',
  state: 'running',
  status: 'Up 2 hours (healthy)',
  health: 'healthy',
  cpuPercent: 12.5,
  memoryUsageBytes: 52_428_800,
  memoryLimitBytes: 1_073_741_824,
  memoryPercent: 4.88,
  uptimeSeconds: 7_199,
  restartCount: 0,
  exitCode: 0,
  startedAt: '2026-01-01T10:00:01Z',
  ports: [{ privatePort: 80, publicPort: 8080, protocol: 'tcp', ip: '0.0.0.0' }],
  labels: { 'com.docker.compose.project': 'shop' },
  networks: [{ name: 'shop_default', ipv4: '172.18.0.2', ipv6: '' }],
  ...change,
})

/** A report of the agent of Pulse 4.25. */
export function aReport({
  id = 'ABCD:EFGH',
  host = {},
  containers = [aContainer()],
  ...rest
}: {
  id?: string
  host?: Partial<DockerReport['host']>
  containers?: ReportedContainer[]
  timestamp?: string
} = {}): DockerReport {
  return {
    agent: { id, version: 'v4.25.0', intervalSeconds: 30 },
    host: {
      hostname: 'dock1',
      name: 'dock1',
      machineId: '0f3c',
      os: 'Debian GNU/Linux 12 (bookworm)',
      kernelVersion: '6.1.0-18-amd64',
      architecture: 'x86_64',
      dockerVersion: '26.1.0',
      totalCpu: 8,
      totalMemoryBytes: 16_700_000_000,
      uptimeSeconds: 86_400,
      ...host,
    },
    containers,
    ...rest,
  }
}
