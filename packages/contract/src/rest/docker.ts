import * as z from 'zod/mini'
import { bodyLimits, endpoint } from '../endpoint.ts'
import { DockerCommand } from '../entities/docker.ts'
import { EpochMs } from '../entities/common.ts'
import { ApiToken, TokenName } from './tokens.ts'

/** Maximum bytes of a report as received, compressed or not, and after decompression. */
export const reportLimits = { bodyBytes: 4 * 1024 * 1024, inflatedBytes: 16 * 1024 * 1024 } as const

/** Our agent sends `pulse-agent/<version>` as its User-Agent, and the v4 agent `pulse-docker-agent/…`. */
export const ownAgentName = 'pulse-agent'

/** Platforms of the agent builds, as in file names and in `?arch=`. */
export const agentPlatforms = ['linux-amd64', 'linux-arm64'] as const
export type AgentPlatform = (typeof agentPlatforms)[number]

export const agentFileName = (platform: AgentPlatform) => `pulse-docker-agent-${platform}`

/** SHA-256 of the sent file, hex. */
export const checksumHeader = 'x-checksum-sha256'

const QueuedCommand = z.object({
  id: z.string(),
  type: z.literal('stop'),
  payload: z.optional(z.record(z.string(), z.unknown())),
})

export const DockerReportReply = z.object({
  success: z.literal(true),
  hostId: z.string(),
  /** number of accepted containers */
  containers: z.number(),
  /** RFC 3339, by the server's clock */
  lastSeen: z.string(),
  /** absent without queued commands */
  commands: z.optional(z.array(QueuedCommand)),
})
export type DockerReportReply = z.infer<typeof DockerReportReply>

/**
 * The intake reads the fields itself and tolerates faults, so one malformed container does not hide its host. Unknown
 * fields are ignored.
 */
export const postDockerReport = endpoint({
  method: 'POST',
  path: '/api/agents/docker/report',
  access: 'admin',
  scope: 'docker:report',
  // Many agents can share one address. The intake therefore limits each token and host.
  rate: 'exempt',
  audit: 'own',
  body: z.unknown(),
  bodyLimit: reportLimits.bodyBytes,
  inflatedLimit: reportLimits.inflatedBytes,
  unknownFields: 'ignored',
  takenInDemo: true,
  reply: DockerReportReply,
})

/** `acknowledged`, `completed`, `failed`, or a legacy synonym that the intake resolves. Unknown fields are ignored. */
export const postDockerCommandAck = endpoint({
  method: 'POST',
  path: '/api/agents/docker/commands/:id/ack',
  access: 'admin',
  scope: 'docker:report',
  rate: 'exempt',
  audit: 'own',
  params: z.object({ id: z.string().check(z.maxLength(128)) }),
  body: z.unknown(),
  bodyLimit: bodyLimits.auth,
  unknownFields: 'ignored',
  takenInDemo: true,
  reply: z.object({ success: z.literal(true), hostId: z.string(), command: DockerCommand }),
})

const hostParams = z.object({ id: z.string().check(z.minLength(1), z.maxLength(128)) })
const manage = { access: 'admin', scope: 'docker:manage', rate: 'config', params: hostParams } as const

const switchedOn = z.optional(z.enum(['true', 'false']))

export const DockerHostReply = z.object({
  success: z.literal(true),
  hostId: z.string(),
  message: z.optional(z.string()),
  /** the queued stop command */
  command: z.optional(DockerCommand),
})
export type DockerHostReply = z.infer<typeof DockerHostReply>

/** Without a flag, an online host's agent is asked to stop, and an offline host is removed. */
export const deleteDockerHost = endpoint({
  ...manage,
  method: 'DELETE',
  path: '/api/agents/docker/hosts/:id',
  audit: 'own',
  query: z.strictObject({ hide: switchedOn, force: switchedOn, mode: z.optional(z.literal('force')) }),
  reply: DockerHostReply,
})

export const putDockerHostUnhide = endpoint({
  ...manage,
  method: 'PUT',
  path: '/api/agents/docker/hosts/:id/unhide',
  audit: 'docker_host_changed',
  reply: DockerHostReply,
})

export const putDockerHostPendingUninstall = endpoint({
  ...manage,
  method: 'PUT',
  path: '/api/agents/docker/hosts/:id/pending-uninstall',
  audit: 'docker_host_changed',
  reply: DockerHostReply,
})

/** Lets a removed host report again. */
export const postDockerAllowReenroll = endpoint({
  ...manage,
  method: 'POST',
  path: '/api/agents/docker/hosts/:id/allow-reenroll',
  audit: 'docker_host_changed',
  reply: DockerHostReply,
})

/** A removed host that is blocked until a certain time. */
export const RemovedDockerHost = z.object({
  hostId: z.string(),
  name: z.string(),
  removedAt: EpochMs,
  blockedUntil: EpochMs,
})
export type RemovedDockerHost = z.infer<typeof RemovedDockerHost>

/** Data for the page that adds a host. */
export const getDockerSetup = endpoint({
  method: 'GET',
  path: '/api/agents/docker/setup',
  access: 'admin',
  scope: 'docker:manage',
  rate: 'read',
  reply: z.object({
    /** address of this server for agents */
    pulseURL: z.string(),
    /** version of the agent that this server offers; absent if it was built without one */
    agentVersion: z.optional(z.string()),
    /** the agent files */
    agents: z.array(z.object({ platform: z.string(), bytes: z.number(), sha256: z.string() })),
    removed: z.array(RemovedDockerHost),
  }),
})

export const PrepareTokenInput = z.strictObject({
  hostId: z.string().check(z.trim(), z.minLength(1), z.maxLength(128)),
  tokenName: z.optional(TokenName),
})

/** A token for a known host, to replace its current one. */
export const postPrepareDockerToken = endpoint({
  method: 'POST',
  path: '/api/diagnostics/docker/prepare-token',
  access: 'admin',
  scope: 'all',
  rate: 'config',
  audit: 'token_created',
  body: PrepareTokenInput,
  bodyLimit: bodyLimits.auth,
  reply: z.object({
    success: z.literal(true),
    /** shown only here */
    token: z.string(),
    record: ApiToken,
    host: z.object({ id: z.string(), name: z.string() }),
    installCommand: z.string(),
    systemdServiceSnippet: z.string(),
    pulseURL: z.string(),
  }),
})

/** Version of the agent that this server offers. Other agents get `dev`, which disables their own update. */
export const getAgentVersion = endpoint({
  method: 'GET',
  path: '/api/agent/version',
  access: 'public',
  rate: 'public',
  reply: z.object({ version: z.string() }),
})

export const getServerInfo = endpoint({
  method: 'GET',
  path: '/api/server/info',
  access: 'public',
  rate: 'public',
  reply: z.object({ isDevelopment: z.boolean(), version: z.string() }),
})

/** Signature of the list of agents: Ed25519, base64. */
export const signatureHeader = 'x-signature'

/** The agent, its checksum in the format of `sha256sum -c`, or the signed list of all agents. */
export const getAgentFile = endpoint({
  method: 'GET',
  path: '/download/pulse-docker-agent',
  access: 'public',
  rate: 'download',
  query: z.strictObject({
    arch: z.optional(z.string().check(z.maxLength(64))),
    part: z.optional(z.enum(['sha256', 'list'])),
  }),
  media: ['application/octet-stream', 'text/plain', 'application/json'],
})

export const getAgentInstallScript = endpoint({
  method: 'GET',
  path: '/install-docker-agent.sh',
  access: 'public',
  rate: 'public',
  media: ['text/x-shellscript'],
})
