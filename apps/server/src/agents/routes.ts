import {
  type AuditEvent,
  checksumHeader,
  type deleteDockerHost,
  ownAgentName,
  type QueryOf,
  signatureHeader,
} from '@pulse/contract'
import fs from 'node:fs'
import type { Audit } from '../auth/audit.ts'
import type { Caller } from '../auth/caller.ts'
import { FileReply, principalOf, RawReply, route } from '../http/route.ts'
import type { Done, HostActions, RemovalMode } from './actions.ts'
import { type AgentFiles, createDownloads } from './agent-files.ts'
import type { Intake } from './intake.ts'
import { installScript } from './install/script.ts'
import type { createAgentSetup } from './setup.ts'
import type { AgentProtocol } from './protocol.ts'

export interface AgentRouteEdges {
  protocol: AgentProtocol
  intake: Intake
  actions: HostActions
  files: AgentFiles
  setup: ReturnType<typeof createAgentSetup>
  audit: Pick<Audit, 'record'>
  port: number
}

/** The agent of Pulse 4.x treats any other version as newer and replaces itself, so it gets no version. */
const isOwnAgent = ({ headers }: Caller) => headers['user-agent']?.startsWith(`${ownAgentName}/`) === true

export function agentRoutes({ protocol, intake, actions, files, setup, audit, port }: AgentRouteEdges) {
  const { name: prefix, endpoints: calls, install } = protocol
  const eventOf: Record<Done['what'], AuditEvent | undefined> = {
    removed: `${prefix}_host_removed`,
    stopping: `${prefix}_stop_requested`,
    hidden: `${prefix}_host_changed`,
    absent: undefined,
  }
  const senderOf = (input: Parameters<typeof principalOf>[0] & { caller: Caller }) => ({
    principal: principalOf(input),
    caller: input.caller,
  })
  const done = (hostId: string, message: string) => ({ success: true as const, hostId, message })

  const rateLimited = {
    before: (input: Parameters<typeof senderOf>[0]) => intake.checkRate(senderOf(input)),
    unpacked: (input: Parameters<typeof senderOf>[0], bytes: number) =>
      intake.unpacked(senderOf(input), bytes),
  }

  const downloads = createDownloads()
  const ownFiles = { isLocal: true } as const

  return [
    route(calls.report, (input) => intake.report(input.body, senderOf(input)), rateLimited),
    route(
      calls.acknowledge,
      async (input) => ({
        success: true as const,
        ...(await intake.acknowledge(input.params.id, input.body, senderOf(input))),
      }),
      rateLimited,
    ),
    route(calls.remove, async ({ params, query, caller, identity }) => {
      const { hostId, name, message, command, what } = await actions.remove(params.id, modeOf(query))
      const event = eventOf[what]
      const details = what === 'hidden' ? `${hostId}: hidden` : hostId
      const by = principalOf({ identity })
      if (event) await audit.record({ event, by, caller, target: name, details })
      return { ...done(hostId, message), ...(command && { command }) }
    }),
    route(calls.unhide, async ({ params, note }) => {
      const { facts } = await actions.unhide(params.id)
      note({ target: facts.displayName, details: `${params.id}: shown again` })
      return done(params.id, `${facts.displayName} is shown again.`)
    }),
    route(calls.pendingUninstall, async ({ params, note }) => {
      const { facts } = await actions.markPending(params.id)
      note({ target: facts.displayName, details: `${params.id}: to be uninstalled` })
      return done(params.id, `${facts.displayName} is marked to be uninstalled.`)
    }),
    route(calls.allowReenroll, async ({ params, note }) => {
      const name = await actions.allow(params.id)
      note({ target: name ?? params.id, details: `${params.id}: may report again` })
      return done(params.id, name === undefined ? 'This host is not blocked.' : `${name} may report again.`)
    }),
    route(calls.setup, async ({ caller }) => {
      const agentVersion = files.version()
      return {
        pulseURL: setup.pulseUrl(caller),
        ...(agentVersion !== undefined && { agentVersion }),
        agents: await files.all(),
        removed: actions.removed(),
      }
    }),
    route(calls.prepareToken, async ({ body, caller, identity, note }) => {
      const prepared = await setup.prepare(body, principalOf({ identity }), caller)
      const { name, prefix: first, suffix } = prepared.record
      note({
        target: name,
        details: `${first}…${suffix}: ${prefix}:report, for ${prepared.host.name} alone`,
      })
      return prepared
    }),
    route(
      calls.version,
      ({ caller }) => ({ version: (isOwnAgent(caller) && files.version()) || 'dev' }),
      ownFiles,
    ),
    route(
      calls.file,
      async ({ query }) => {
        if (query.part === 'list') {
          const { bytes, signature } = files.list()
          return new RawReply(bytes, { [signatureHeader]: signature.toString('base64') })
        }
        const { platform, path, bytes, sha256 } = await files.find(query.arch)
        const name = install.fileName(platform)
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
      },
      ownFiles,
    ),
    route(
      calls.script,
      async () => {
        const all = await files.all()
        const checksums = Object.fromEntries(all.map(({ platform, sha256 }) => [platform, sha256]))
        return new RawReply(Buffer.from(installScript(install, { checksums, port })), {
          'content-type': 'text/x-shellscript; charset=utf-8',
        })
      },
      ownFiles,
    ),
  ]
}

function modeOf({ hide, force, mode }: QueryOf<typeof deleteDockerHost>): RemovalMode {
  if (force === 'true' || mode === 'force') return 'force'
  return hide === 'true' ? 'hide' : 'usual'
}
