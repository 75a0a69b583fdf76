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
  /** how many of the report were taken */
  containers: z.number(),
  /** RFC 3339, by the clock of the server */
  lastSeen: z.string(),
  /** absent when nothing is queued */
  commands: z.optional(z.array(QueuedCommand)),
})
export type DockerReportReply = z.infer<typeof DockerReportReply>

/** The intake reads the fields itself and tolerates faults: one odd container must not hide its host. */
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

/** `acknowledged`, `completed` or `failed`, or one of their older synonyms; which, the intake says. */
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
  /** the stop command that was queued */
  command: z.optional(DockerCommand),
})
export type DockerHostReply = z.infer<typeof DockerHostReply>

/** Without a flag, the agent of an online host is asked to stop, and an offline host is removed. */
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

/** A host that was removed on purpose may report again. */
export const postDockerAllowReenroll = endpoint({
  ...manage,
  method: 'POST',
  path: '/api/agents/docker/hosts/:id/allow-reenroll',
  audit: 'docker_host_changed',
  reply: DockerHostReply,
})

/** What was removed and may not report again before a time. */
export const RemovedDockerHost = z.object({
  hostId: z.string(),
  name: z.string(),
  removedAt: EpochMs,
  blockedUntil: EpochMs,
})
export type RemovedDockerHost = z.infer<typeof RemovedDockerHost>

/** What a page needs to show how a host is added. */
export const getDockerSetup = endpoint({
  method: 'GET',
  path: '/api/agents/docker/setup',
  access: 'admin',
  scope: 'docker:manage',
  rate: 'read',
  reply: z.object({
    /** where agents reach this server */
    pulseURL: z.string(),
    /** of the agent this server hands out; absent when it was built without one */
    agentVersion: z.optional(z.string()),
    /** the files it hands out */
    agents: z.array(z.object({ platform: z.string(), bytes: z.number(), sha256: z.string() })),
    removed: z.array(RemovedDockerHost),
  }),
})

export const PrepareTokenInput = z.strictObject({
  hostId: z.string().check(z.trim(), z.minLength(1), z.maxLength(128)),
  tokenName: z.optional(TokenName),
})

/** A token for one known host, to be put in place of the one it reports with. */
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
    /** the only time it is shown */
    token: z.string(),
    record: ApiToken,
    host: z.object({ id: z.string(), name: z.string() }),
    installCommand: z.string(),
    systemdServiceSnippet: z.string(),
    pulseURL: z.string(),
  }),
})

/** Of the agent this server hands out; `dev` for an agent that is not ours, which then never replaces itself. */
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

/** The agent itself, its checksum as `sha256sum -c` reads it, or the list of all of them that was signed. */
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
