import {
  type AuditEvent,
  checksumHeader,
  deleteDockerHost,
  getAgentFile,
  getAgentInstallScript,
  getAgentVersion,
  getDockerSetup,
  getServerInfo,
  agentFileName,
  ownAgentName,
  postDockerAllowReenroll,
  postDockerCommandAck,
  postDockerReport,
  postPrepareDockerToken,
  putDockerHostPendingUninstall,
  putDockerHostUnhide,
  type QueryOf,
  signatureHeader,
  type VersionInfo,
} from '@pulse/contract'
import fs from 'node:fs'
import type { Audit } from '../auth/audit.ts'
import type { Caller } from '../auth/caller.ts'
import { FileReply, principalOf, RawReply, route } from '../http/route.ts'
import type { Done, HostActions, RemovalMode } from './actions.ts'
import type { AgentFiles } from './agent-files.ts'
import type { Intake } from './intake.ts'
import { createDownloads } from './downloads.ts'
import { installScript } from './install-script.ts'
import type { createDockerSetup } from './setup.ts'

export interface DockerRouteEdges {
  intake: Intake
  actions: HostActions
  files: AgentFiles
  setup: ReturnType<typeof createDockerSetup>
  audit: Pick<Audit, 'record'>
  version: Pick<VersionInfo, 'version' | 'isDevelopment'>
  port: number
}

/** The original agent takes any other version for a newer one and puts it in its own place: it is told none. */
const isOwnAgent = ({ headers }: Caller) => headers['user-agent']?.startsWith(`${ownAgentName}/`) === true

const eventOf: Record<Done['what'], AuditEvent | undefined> = {
  removed: 'docker_host_removed',
  stopping: 'docker_stop_requested',
  hidden: 'docker_host_changed',
  absent: undefined,
}

export function dockerRoutes({ intake, actions, files, setup, audit, version, port }: DockerRouteEdges) {
  const senderOf = (input: Parameters<typeof principalOf>[0] & { caller: Caller }) => ({
    principal: principalOf(input),
    caller: input.caller,
  })
  const done = (hostId: string, message: string) => ({ success: true as const, hostId, message })

  const paced = {
    before: (input: Parameters<typeof senderOf>[0]) => intake.pace(senderOf(input)),
    unpacked: (input: Parameters<typeof senderOf>[0], bytes: number) =>
      intake.unpacked(senderOf(input), bytes),
  }

  const downloads = createDownloads()

  return [
    route(postDockerReport, (input) => intake.report(input.body, senderOf(input)), paced),
    route(
      postDockerCommandAck,
      async (input) => ({
        success: true as const,
        ...(await intake.acknowledge(input.params.id, input.body, senderOf(input))),
      }),
      paced,
    ),
    route(deleteDockerHost, async ({ params, query, caller, identity }) => {
      const { hostId, name, message, command, what } = await actions.remove(params.id, modeOf(query))
      const event = eventOf[what]
      const details = what === 'hidden' ? `${hostId}: hidden` : hostId
      const by = principalOf({ identity })
      if (event) await audit.record({ event, by, caller, target: name, details })
      return { ...done(hostId, message), ...(command && { command }) }
    }),
    route(putDockerHostUnhide, async ({ params, note }) => {
      const { facts } = await actions.unhide(params.id)
      note({ target: facts.displayName, details: `${params.id}: shown again` })
      return done(params.id, `${facts.displayName} is shown again.`)
    }),
    route(putDockerHostPendingUninstall, async ({ params, note }) => {
      const { facts } = await actions.markPending(params.id)
      note({ target: facts.displayName, details: `${params.id}: to be uninstalled` })
      return done(params.id, `${facts.displayName} is marked to be uninstalled.`)
    }),
    route(postDockerAllowReenroll, async ({ params, note }) => {
      const name = await actions.allow(params.id)
      note({ target: name ?? params.id, details: `${params.id}: may report again` })
      return done(params.id, name === undefined ? 'This host is not blocked.' : `${name} may report again.`)
    }),
    route(getDockerSetup, async ({ caller }) => {
      const agentVersion = files.version()
      return {
        pulseURL: setup.pulseUrl(caller),
        ...(agentVersion !== undefined && { agentVersion }),
        agents: await files.all(),
        removed: actions.removed(),
      }
    }),
    route(postPrepareDockerToken, async ({ body, caller, identity, note }) => {
      const prepared = await setup.prepare(body, principalOf({ identity }), caller)
      const { name, prefix, suffix } = prepared.record
      note({ target: name, details: `${prefix}…${suffix}: docker:report, for ${prepared.host.name} alone` })
      return prepared
    }),
    route(getAgentVersion, ({ caller }) => ({
      version: (isOwnAgent(caller) && files.version()) || 'dev',
    })),
    route(getServerInfo, () => ({ isDevelopment: version.isDevelopment, version: version.version })),
    route(getAgentFile, async ({ query }) => {
      if (query.part === 'list') {
        const { bytes, signature } = files.list()
        return new RawReply(bytes, { [signatureHeader]: signature.toString('base64') })
      }
      const { platform, path, bytes, sha256 } = await files.find(query.arch)
      const name = agentFileName(platform)
      if (query.part === 'sha256') {
        return new RawReply(Buffer.from(`${sha256}  ${name}\n`), {
          'content-type': 'text/plain; charset=utf-8',
        })
      }
      downloads.admit()
      return new FileReply(() => downloads.count(fs.createReadStream(path)), {
        'content-type': 'application/octet-stream',
        'content-length': String(bytes),
        'content-disposition': `attachment; filename="${name}"`,
        [checksumHeader]: sha256,
      })
    }),
    route(getAgentInstallScript, async () => {
      const all = await files.all()
      const checksums = Object.fromEntries(all.map(({ platform, sha256 }) => [platform, sha256]))
      return new RawReply(Buffer.from(installScript({ checksums, port })), {
        'content-type': 'text/x-shellscript; charset=utf-8',
      })
    }),
  ]
}

function modeOf({ hide, force, mode }: QueryOf<typeof deleteDockerHost>): RemovalMode {
  if (force === 'true' || mode === 'force') return 'force'
  return hide === 'true' ? 'hide' : 'usual'
}
