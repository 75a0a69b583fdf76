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

/** The calls, limits and texts of all agents. Pulse 4.x had agents for container hosts alone, hence the names. */
export const agentProtocol = {
  /** prefix of error codes, audit events and scopes */
  name: 'docker' as const,
  /** on screen and in logs */
  noun: 'Docker host',
  /**
   * A token for many hosts allows a thousand hosts that return at once, and their usual interval. A host reports at
   * most every second. The limit counts uncompressed bytes, because parsing costs CPU however small the compressed body is. A host
   * with 1,000 containers sends 1.5 MB. 500 hosts with 50 containers each send 23 MB at once.
   */
  limits: {
    hosts: 1_000,
    // a leaked token cannot use up the share of other hosts
    hostsOfToken: 500,
    reports: {
      token: { burst: 2_000, perSecond: 50, keys: 2_000 },
      host: { burst: 30, perSecond: 2, keys: 5_000 },
    },
    bytes: {
      token: { burst: 24_000_000, perSecond: 3_000_000, keys: 2_000 },
      host: { burst: 8_000_000, perSecond: 500_000, keys: 5_000 },
    },
  },
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
    /** of the program, its service and its files */
    program: 'pulse-docker-agent',
    title: 'Pulse Docker agent',
    /** the reported subject, as the end of a sentence */
    reports: 'what runs on this container host',
    script: '/install-docker-agent.sh',
    hostsPath: '/api/agents/docker/hosts',
    page: 'Docker hosts',
    /** units that the service starts after */
    after: 'docker.service',
    /** shell that sets `known` to the identity of the host */
    identity: `if has docker; then known=$(timeout 10 docker info --format '{{.ID}}' 2>/dev/null || true); fi`,
    fileName: agentFileName,
    /** the command that an administrator runs on the host */
    command: agentInstallCommand,
  },
}

export type AgentProtocol = typeof agentProtocol
export type InstallTexts = AgentProtocol['install']
