import type { DockerCommand, DockerReportReply } from '@pulse/contract'
import { type Clock, wallOffset } from '@pulse/domain'
import type { Logger } from 'pino'
import { AppError, tooManyRequests } from '../app-error.ts'
import type { ApiTokens } from '../auth/api-tokens.ts'
import type { Audit } from '../auth/audit.ts'
import type { Caller } from '../auth/caller.ts'
import type { Principal } from '../auth/principal.ts'
import { tokenBuckets } from '../timing/rate-limit.ts'
import { type Admission, admitReport, type ReportToken } from './admission.ts'
import { Bounded, isFields } from './bounded.ts'
import { dispatch, expire, isActive, isBackForGood, outcomeOf, settle } from './commands.ts'
import type { Host, HostToken } from './host.ts'
import type { Hosts } from './hosts.ts'
import { begun, clockAhead, toContainers } from './map.ts'
import { identityOf, type ReadReport, readReport } from './read-report.ts'
import { fitted } from './room.ts'
import { newHost } from './stored-host.ts'

/** Of one token that may serve many: a thousand hosts that come back at once, and their usual rhythm. */
const tokenPace = { burst: 2_000, perSecond: 50, keys: 2_000 }
/** Of one host, or a token for one: the shortest interval that agents know is a second. */
const hostPace = { burst: 30, perSecond: 2, keys: 5_000 }

/**
 * The same in bytes as they are unpacked: each costs time of the processor, however small a body was on its way. One
 * host with a thousand containers says 1.5 MB; five hundred hosts with fifty each, 23 MB at once.
 */
const tokenBytes = { burst: 24_000_000, perSecond: 3_000_000, keys: 2_000 }
const hostBytes = { burst: 8_000_000, perSecond: 500_000, keys: 5_000 }

/** Who reports, and from where. */
export interface Sender {
  principal: Principal
  caller: Caller
}

/** What agents say, and what they are told. */
export interface Intake {
  /** Before a body is read: throws when the token is used too often. */
  pace(sender: Sender): void
  /** A body of theirs had so many bytes when it was unpacked: throws when it were too many lately. */
  unpacked(sender: Sender, bytes: number): void
  report(body: unknown, sender: Sender): Promise<DockerReportReply>
  acknowledge(id: string, body: unknown, sender: Sender): Promise<{ hostId: string; command: DockerCommand }>
}

interface Enlisted {
  host: Host
  isNew: boolean
  /** that it reports with from now on */
  token: HostToken | undefined
}

export interface IntakeEdges {
  hosts: Hosts
  tokens: Pick<ApiTokens, 'get' | 'isLive' | 'bind'>
  audit: Pick<Audit, 'record'>
  clock: Clock
  log: Logger
  /** A host has come, gone or come back. */
  onNews: () => void
}

export function createIntake({ hosts, tokens, audit, clock, log, onNews }: IntakeEdges): Intake {
  const ofTokens = tokenBuckets(clock, tokenPace)
  const ofHosts = tokenBuckets(clock, hostPace)
  const bytesOfTokens = tokenBuckets(clock, tokenBytes)
  const bytesOfHosts = tokenBuckets(clock, hostBytes)
  const offset = wallOffset(clock)

  /** Undefined for an administrator without one. A token that ended while it waited here has no say any more. */
  function tokenOf({ method, id }: Principal): ReportToken | undefined {
    if (method !== 'token') return undefined
    const token = tokens.get(id.replace(/^token:/, ''))
    if (!token) throw new AppError('authentication_required', 'Authentication required')
    return {
      id: token.id,
      name: token.name,
      hint: `${token.prefix}…${token.suffix}`,
      createdAt: Date.parse(token.createdAt),
      oneHost: token.oneHost === true,
      boundHost: token.boundHost,
    }
  }

  const admit = (report: ReadReport, token: ReportToken | undefined): Admission =>
    admitReport(report, {
      host: hosts.byId(report.hostId),
      removal: hosts.removal(report.hostId),
      token,
      isTokenLive: tokens.isLive,
      hosts: hosts.all().length,
      hostsOfToken: hosts.all().filter((host) => host.token?.id === token?.id).length,
      monotonic: clock.monotonic(),
    })

  /** What is refused is written down, and a second machine of one name is shown on the host whose name it is. */
  async function refused(error: unknown, { hostId, facts }: ReadReport, { principal, caller }: Sender) {
    if (!(error instanceof AppError)) return
    const host = hosts.byId(hostId)
    if (host && error.code === 'docker_identity_conflict') {
      const now = clock.now()
      host.conflict = {
        since: host.conflict?.since ?? now,
        hostname: facts.hostname,
        lastAt: now,
      }
      host.conflictAt = clock.monotonic()
      hosts.show(host)
    }
    await audit.record({
      event: 'docker_report_refused',
      success: false,
      by: principal,
      caller,
      target: facts.hostname,
      details: `${hostId}: ${error.code}`,
    })
  }

  /** What must be stored first is; one after the other, so that no two take the same name or token. */
  async function enlist(report: ReadReport, { principal }: Sender): Promise<Enlisted> {
    const token = tokenOf(principal)
    const { isNew, token: other, binds, unblocks } = admit(report, token)
    const { hostId, facts } = report
    if (binds) await tokens.bind(token!.id, { id: hostId, name: facts.displayName })
    if (unblocks) await hosts.allow(hostId)
    const own = other && { id: other.id, name: other.name, hint: other.hint }
    const host = hosts.byId(hostId) ?? newHost(hosts.newKey(), report, own, clock.now())
    if (isNew) await hosts.add(host)
    else if (own) {
      host.token = own
      await hosts.save(host)
    }
    return { host, isNew, token: own }
  }

  /** Somebody new, or with another token: it is written down. */
  async function note({ host, isNew, token }: Enlisted, { principal: by, caller }: Sender) {
    const target = host.facts.displayName
    const shown = token && `${token.name} (${token.hint})`
    if (isNew) {
      log.info({ host: target, hostId: host.id }, 'new Docker host registered')
      const details = [host.id, shown && `token ${shown}`].filter(Boolean).join(', ')
      await audit.record({ event: 'docker_host_enrolled', by, caller, target, details })
    } else if (shown) {
      const details = `${host.id}: reports with the token ${shown} from now on`
      await audit.record({ event: 'docker_host_changed', by, caller, target, details })
    }
  }

  async function hostOf(report: ReadReport, sender: Sender): Promise<Host> {
    if (isSettled(admit(report, tokenOf(sender.principal)))) return hosts.byId(report.hostId)!
    const enlisted = await hosts.inTurn(() => enlist(report, sender))
    await note(enlisted, sender)
    if (hosts.byId(report.hostId) === enlisted.host) return enlisted.host
    throw new AppError('docker_host_removed', 'The host was removed during this report.')
  }

  const isSettled = ({ isNew, token, binds, unblocks }: Admission) => !isNew && !token && !binds && !unblocks

  /** The report is what the host is like now. */
  function take(host: Host, whole: ReadReport) {
    const now = clock.now()
    const others = hosts.all().filter((one) => one !== host)
    const report = fitted(whole, host.token?.id, others)
    const wasOnline = host.isOnline
    host.facts = report.facts
    host.clockAheadMinutes = clockAhead(report, host.clockAheadMinutes, now)
    host.startedAt = begun(report.uptimeSeconds, host.startedAt, now)
    host.containers = toContainers(report, host, now)
    host.cut = report.cut
    host.bytes = report.bytes
    host.isOnline = true
    host.reportedAt = clock.monotonic()
    host.lastSeenAt = Math.round(host.reportedAt + offset())
    if (isBackForGood(host, clock)) host.pendingUninstall = false
    expire(host, clock)
    const command = dispatch(host, now)
    hosts.show(host)
    hosts.touch(host)
    if (!wasOnline) {
      log.info({ host: host.facts.displayName }, 'Docker host online')
      onNews()
    }
    return command
  }

  return {
    pace({ principal }) {
      const isForOne = tokenOf(principal)?.oneHost
      const bytes = isForOne ? bytesOfHosts : bytesOfTokens
      const pace = isForOne ? ofHosts : ofTokens
      refuseFor(bytes.waitMs(principal.id))
      refuseFor(pace.take(principal.id))
    },
    unpacked({ principal }, bytes) {
      const pace = tokenOf(principal)?.oneHost ? bytesOfHosts : bytesOfTokens
      refuseFor(pace.take(principal.id, bytes))
    },
    async report(body, sender) {
      const report = readReport(body)
      // whoever reports in the name of another host uses up nothing of what that one may
      refuseFor(ofHosts.take(`${sender.principal.id} ${report.hostId}`))
      try {
        const host = await hostOf(report, sender)
        const command = take(host, report)
        return {
          success: true,
          hostId: host.id,
          containers: host.containers.size,
          lastSeen: new Date(host.lastSeenAt!).toISOString(),
          ...(command && { commands: [{ id: command.id, type: command.type }] }),
        }
      } catch (error) {
        await refused(error, report, sender)
        throw error
      }
    },
    async acknowledge(rawId, body, { principal, caller }) {
      const id = rawId.trim()
      if (id === '') throw new AppError('missing_command_id', 'The path contains no command id.')
      const fields = isFields(body) ? body : {}
      const outcome = outcomeOf(fields['status'])
      const message = new Bounded().text(fields['message'], 500).trim()
      const host = hosts.byId(identityOf([fields['hostId']]) ?? '')
      const token = tokenOf(principal)
      const isOwn = !token || !host?.token || host.token.id === token.id
      const command = host?.command
      if (!host || !isOwn || command?.id !== id || !isActive(command)) {
        throw new AppError(
          'docker_command_ack_failed',
          'This host has no such command, or the command has already ended.',
        )
      }
      const { pendingUninstall } = host
      const settled = settle(host, command, outcome, message, clock.now())
      try {
        await hosts.inTurn(() => (outcome === 'completed' ? hosts.remove(host) : hosts.save(host)))
      } catch (error) {
        // the agent says it again when it hears that it did not count
        Object.assign(host, { command, pendingUninstall })
        throw error
      }
      if (outcome !== 'completed') hosts.show(host)
      onNews()
      if (outcome !== 'acknowledged') {
        const success = outcome === 'completed'
        const target = host.facts.displayName
        const details = [host.id, message].filter(Boolean).join(': ')
        await audit.record({ event: 'docker_stop_ended', success, by: principal, caller, target, details })
      }
      return { hostId: host.id, command: settled }
    },
  }
}

function refuseFor(waitMs: number): void {
  if (waitMs > 0) throw tooManyRequests(waitMs)
}
