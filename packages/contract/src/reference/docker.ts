import { DockerCommandReport, DockerReport } from '../docker-report.ts'
import type * as calls from '../rest/docker.ts'
import type { Reference } from './about.ts'
import { commandId, hostId, now } from './samples.ts'

const params = { id: hostId }
const report: DockerReport = {
  agent: { id: hostId, version: '1.2.3', intervalSeconds: 30 },
  host: {
    hostname: 'docker1',
    os: 'Debian GNU/Linux 13 (trixie)',
    architecture: 'x86_64',
    dockerVersion: '29.0.1',
    engine: 'docker',
    totalCpu: 4,
    totalMemoryBytes: 8_589_934_592,
    uptimeSeconds: 86_400,
  },
  containers: [
    {
      id: '4f66ad9a0b2e',
      name: 'proxy',
      image: 'nginx:1.29',
      state: 'running',
      status: 'Up 3 hours',
      cpuPercent: 1.4,
      memoryUsageBytes: 52_428_800,
      restartCount: 0,
      startedAt: '2026-09-21T11:10:00Z',
    },
  ],
  timestamp: now,
}
const unknown = ['docker_host_not_found'] as const
const refused = ['docker_token_mismatch', 'docker_identity_conflict', 'docker_host_removed'] as const

export const docker = {
  postDockerReport: {
    summary: 'Report a container host and its containers',
    shape: DockerReport,
    body: report,
    errors: ['invalid_report', 'docker_host_limit', 'rate_limit', ...refused],
  },
  postDockerCommandAck: {
    summary: 'Report the result of a command',
    params: { id: commandId },
    shape: DockerCommandReport,
    body: { hostId, status: 'completed' },
    errors: ['invalid_status', 'missing_command_id', 'docker_command_ack_failed', 'rate_limit'],
  },
  deleteDockerHost: {
    summary: 'Remove or hide a container host, or stop its agent',
    params,
    query: { mode: 'force' },
    errors: [...unknown, 'docker_command_failed'],
  },
  putDockerHostUnhide: { summary: 'Show a hidden host again', params, errors: unknown },
  putDockerHostPendingUninstall: {
    summary: 'Mark a host whose agent is being uninstalled',
    params,
    errors: unknown,
  },
  postDockerAllowReenroll: {
    summary: 'Let a removed host report again',
    params,
    errors: unknown,
  },
  getDockerSetup: { summary: 'Get the requirements for adding a host' },
  postPrepareDockerToken: {
    summary: 'Create a token for one known host',
    body: { hostId },
    errors: [...unknown, 'conflict'],
  },
  getAgentVersion: { summary: 'Get the version of the agent that this server offers' },
  getServerInfo: { summary: 'Identify this server to an agent' },
  getAgentFile: {
    summary: 'Download the agent, or its checksum',
    query: { arch: 'linux-amd64' },
    errors: ['not_found', 'too_many_connections'],
  },
  getAgentInstallScript: { summary: 'Download the script that installs the agent' },
} satisfies Reference<typeof calls>
