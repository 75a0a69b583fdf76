import {
  agentFileName,
  deleteDockerHost,
  getAgentFile,
  getAgentInstallScript,
  getAgentVersion,
  getDockerSetup,
  postDockerAllowReenroll,
  postDockerCommandAck,
  postDockerReport,
  postPrepareDockerToken,
  putDockerHostPendingUninstall,
  putDockerHostUnhide,
} from '@pulse/contract'
import { agentInstallCommand } from '@pulse/domain'
import type { AgentProtocol } from '../agent-kind.ts'
import { dockerHostStore } from '../db/docker-hosts.ts'
import { hiddenHostsPart } from './export-part.ts'
import { agentLimits } from './limits.ts'

/**
 * The calls, tables and texts of all agents. Their names stem from Pulse 4.x, which had agents only for
 * container hosts.
 */
export const dockerAgents: AgentProtocol = {
  name: 'docker',
  noun: 'Docker host',
  limits: agentLimits,
  tables: ['docker_hosts', 'docker_removals'],
  store: dockerHostStore,
  exportPart: hiddenHostsPart,
  diagnose: (dockerAgents) => ({ dockerAgents }),
  endpoints: {
    report: postDockerReport,
    acknowledge: postDockerCommandAck,
    remove: deleteDockerHost,
    unhide: putDockerHostUnhide,
    pendingUninstall: putDockerHostPendingUninstall,
    allowReenroll: postDockerAllowReenroll,
    setup: getDockerSetup,
    prepareToken: postPrepareDockerToken,
    version: getAgentVersion,
    file: getAgentFile,
    script: getAgentInstallScript,
  },
  install: {
    program: 'pulse-docker-agent',
    title: 'Pulse Docker agent',
    reports: 'what runs on this container host',
    script: '/install-docker-agent.sh',
    hostsPath: '/api/agents/docker/hosts',
    page: 'Docker hosts',
    after: 'docker.service',
    identity: `if has docker; then known=$(timeout 10 docker info --format '{{.ID}}' 2>/dev/null || true); fi`,
    fileName: agentFileName,
    command: agentInstallCommand,
  },
}
