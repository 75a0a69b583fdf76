import {
  type AutoRegisterInput,
  type AutoRegisterReply,
  type LiveEvent,
  setupFileNames,
  type SetupKind,
  type SetupScriptUrlInput,
  type SetupScriptUrlReply,
} from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { Logger } from 'pino'
import { AppError } from '../app-error.ts'
import { codeLifeMs, createSetupCodes, type Grant, wrongHost } from './codes.ts'
import { ownKeyPin, setupCommand, setupNotes } from './command.ts'
import { agreeOnFingerprint, checkToken, type Connections, findByHost, register } from './register.ts'
import { setupScript } from './script.ts'
import { scriptUrl, setupHost, setupAddress, type SetupValues } from './values.ts'

/** The address of a request, which the host uses to call back. */
export interface Way {
  site: string | undefined
  viaTrustedProxy: boolean
}

export interface SetupQuery {
  type: SetupKind
  host: string
  pulse_url?: string | undefined
  backup_perms?: 'true' | 'false' | undefined
  temperature?: 'true' | 'false' | undefined
}

/** The holder of a code, or a token that may change settings. */
export type Registrant = { code: string } | { by: Grant['by'] }

/** Lets a host create its monitoring account. */
export interface SetupScriptArea {
  issue(input: SetupScriptUrlInput, by: Grant['by'], way: Way): SetupScriptUrlReply
  scriptForCode(query: SetupQuery, code: string): Promise<string>
  /** For an administrator: a script without a code, which the script asks for. */
  scriptForAdministrator(query: SetupQuery, way: Way): Promise<string>
  /** Registers on behalf of the user who created the code, or of the token. */
  register(
    input: AutoRegisterInput,
    registrant: Registrant,
  ): Promise<{ reply: AutoRegisterReply; by: Grant['by']; name: string }>
}

export interface SetupScriptEdges {
  connections: Connections & { nameOf(id: string): string }
  /** the configured URL; otherwise the caller's address for this server is used */
  publicUrl: string | undefined
  tls: { cert: Buffer } | undefined
  /** fingerprint of the host's certificate; undefined when it is unreachable */
  readFingerprint: (url: URL) => Promise<string | undefined>
  /** the creator of a code has lost the right */
  hasLeft: (id: string) => boolean
  /** the shell function that installs and removes the temperature helper; the call may create a key */
  temperatureFunction: () => Promise<string>
  clock: Clock
  log: Logger
  publish: (event: LiveEvent) => void
}

export function createSetupScripts(edges: SetupScriptEdges): SetupScriptArea {
  const { connections, publicUrl, readFingerprint, clock, log, publish } = edges
  const codes = createSetupCodes(clock, edges.hasLeft)
  const pin = ownKeyPin(edges.tls)

  function valuesOf(query: SetupQuery, way: Way): SetupValues {
    const { type } = query
    const own = setupAddress(publicUrl ?? way.site)
    if (own === undefined) {
      throw new AppError(
        'bad_request',
        'The address of this server cannot be used in a script; set PULSE_PUBLIC_URL.',
      )
    }
    return {
      type,
      host: setupHost(query.host, type),
      pulseUrl: own,
      backupPerms: type === 'pve' && query.backup_perms !== 'false',
      temperature: type === 'pve' && query.temperature === 'true',
      // A proxy, or another host name, may show another certificate.
      tlsPin: own === way.site && own.startsWith('https:') && !way.viaTrustedProxy ? pin : undefined,
    }
  }

  /** Runs only after the caller was admitted. */
  const scriptOf = async (values: SetupValues) =>
    setupScript(values, values.temperature ? await edges.temperatureFunction() : undefined)

  async function enlist(input: AutoRegisterInput, host: string): Promise<string> {
    const token = checkToken(input)
    const shown = await readFingerprint(new URL(host))
    const fingerprint = agreeOnFingerprint(shown, { ...input, host })
    const { type, serverName: name } = input
    const id = await register(connections, { type, host, name, ...token, fingerprint })
    log.info({ source: connections.nameOf(id), host }, 'host registered')
    publish({
      type: 'node_auto_registered',
      data: {
        type,
        host,
        name: connections.nameOf(id),
        tokenId: token.tokenId,
        hasToken: true,
        verifySSL: true,
        status: 'pending',
      },
    })
    return id
  }

  function answer(nodeId: string, by: Grant['by'], message?: string) {
    const name = connections.nameOf(nodeId)
    const text = message ?? `Pulse now monitors ${name}.`
    return { reply: { status: 'success' as const, message: text, nodeId }, by, name }
  }

  return {
    issue({ type, host, backupPerms = type === 'pve', temperature }, by, way) {
      const query: SetupQuery = {
        type,
        host,
        backup_perms: backupPerms ? 'true' : 'false',
        temperature: temperature ? 'true' : 'false',
      }
      const values = valuesOf(query, way)
      const { code, expiresAt } = codes.issue({ values, by })
      return {
        url: scriptUrl(values),
        command: setupCommand(values, code),
        setupCode: code,
        expires: Math.floor(expiresAt / 1000),
        expiresInSeconds: codeLifeMs / 1000,
        fileName: setupFileNames[type],
        notes: setupNotes(values),
      }
    },
    async scriptForCode(query, code) {
      const { values } = codes.look(code)
      if (query.type !== values.type || setupHost(query.host, query.type) !== values.host) {
        throw wrongHost(values.host)
      }
      const isSame =
        (query.pulse_url === undefined || setupAddress(query.pulse_url) === values.pulseUrl) &&
        (query.backup_perms === undefined || query.backup_perms === String(values.backupPerms)) &&
        (query.temperature === 'true') === (values.temperature === true)
      if (!isSame) {
        throw new AppError(
          'validation_failed',
          'The URL of the script is not the one that the code was made for.',
        )
      }
      log.info({ host: values.host }, 'setup script downloaded')
      return scriptOf(values)
    },
    async scriptForAdministrator(query, way) {
      const values = valuesOf(query, way)
      const asked = query.pulse_url
      // A foreign link must not send this host's token to another server.
      if (asked !== undefined && ![values.pulseUrl, way.site].includes(setupAddress(asked))) {
        throw new AppError(
          'validation_failed',
          `pulse_url is not an address of this server; it is ${values.pulseUrl}.`,
          {
            details: { pulse_url: `must be ${values.pulseUrl}` },
          },
        )
      }
      return scriptOf(values)
    },
    async register(input, registrant) {
      const host = setupHost(input.host, input.type)
      if ('by' in registrant) return answer(await enlist(input, host), registrant.by)
      const claim = codes.claim(registrant.code, { type: input.type, host })
      if ('follows' in claim) {
        if (findByHost(connections, input.type, host)?.id !== claim.follows)
          throw wrongHost(claim.grant.values.host)
        return answer(
          claim.follows,
          claim.grant.by,
          'Pulse already monitors this host as a member of its cluster.',
        )
      }
      try {
        const id = await enlist(input, host)
        claim.done(id)
        return answer(id, claim.grant.by)
      } catch (error) {
        claim.release()
        const reason = error instanceof AppError ? error.message : 'internal error'
        log.warn({ host, reason }, 'host registration failed')
        throw error
      }
    },
  }
}
