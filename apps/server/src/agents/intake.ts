import type { DockerReportReply } from '@pulse/contract'
import { type Clock, wallOffset } from '@pulse/domain'
import type { Logger } from 'pino'
import {
  type AgentCommand,
  type AgentKind,
  type AgentReport,
  type Host,
  type HostToken,
  isShownOnline,
} from '../agent-kind.ts'
import { AppError, tooManyRequests } from '../app-error.ts'
import type { ApiTokens } from '../auth/api-tokens.ts'
import type { Audit } from '../auth/audit.ts'
import type { Caller } from '../auth/caller.ts'
import type { Principal } from '../auth/principal.ts'
import { Bounded, identityOf, isFields } from '../report-fields.ts'
import { tokenBuckets } from '../timing/rate-limit.ts'
import { type Admission, admitReport, type ReportToken } from './admission.ts'
import { dispatch, expire, isActive, isBackForGood, outcomeOf, settle } from './commands.ts'
import { isLate, newHost } from './host.ts'
import type { Hosts } from './hosts.ts'
import { type AgentKinds, nameOfKind } from './kinds.ts'
import type { AgentProtocol } from './protocol.ts'

/** The caller of a report. */
export interface Sender {
  principal: Principal
  caller: Caller
}

/** Accepts the reports of agents and answers with their commands. */
export interface Intake {
  /** Called before a body is read; throws when the token exceeds its rate. */
  checkRate(sender: Sender): void
  /** Counts the uncompressed bytes of a body; throws when the token exceeds its rate. */
  unpacked(sender: Sender, bytes: number): void
  report(body: unknown, sender: Sender): Promise<DockerReportReply>
  acknowledge(id: string, body: unknown, sender: Sender): Promise<{ hostId: string; command: AgentCommand }>
}

interface Enrolment {
  host: Host
  isNew: boolean
  /** the token that the host uses from now on */
  token: HostToken | undefined
}

export interface IntakeEdges {
  protocol: Pick<AgentProtocol, 'name' | 'noun' | 'limits'>
  kinds: AgentKinds
  hosts: Hosts
  tokens: Pick<ApiTokens, 'get' | 'isLive' | 'bind'>
  audit: Pick<Audit, 'record'>
  clock: Clock
  log: Logger
  /** A host was added, removed or readmitted. */
  onNews: () => void
}

export function createIntake(edges: IntakeEdges): Intake {
  const { protocol, kinds, hosts, tokens, audit, clock, log, onNews } = edges
  const { name, noun, limits } = protocol
  const ofTokens = tokenBuckets(clock, limits.reports.token)
  const ofHosts = tokenBuckets(clock, limits.reports.host)
  const bytesOfTokens = tokenBuckets(clock, limits.bytes.token)
  const bytesOfHosts = tokenBuckets(clock, limits.bytes.host)
  const offset = wallOffset(clock)

  /** Undefined for an administrator without a token. A token may be deleted while its report waits. */
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

  const admit = (kind: AgentKind, report: AgentReport, token: ReportToken | undefined): Admission => {
    const host = hosts.byId(report.hostId)
    return admitReport(report, {
      protocol,
      host,
      isOtherKind: host !== undefined && kinds.of(host) !== kind,
      removal: hosts.removal(report.hostId),
      token,
      isTokenLive: tokens.isLive,
      hosts: hosts.all().length,
      hostsOfToken: hosts.all().filter((host) => host.token?.id === token?.id).length,
      monotonic: clock.monotonic(),
    })
  }

  /** Audits a refused report, and shows an identity conflict on the host that owns the identity. */
  async function refused(error: unknown, { hostId, facts }: AgentReport, { principal, caller }: Sender) {
    if (!(error instanceof AppError)) return
    const host = hosts.byId(hostId)
    if (host && error.code === `${name}_identity_conflict`) {
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
      event: `${name}_report_refused`,
      success: false,
      by: principal,
      caller,
      target: facts.hostname,
      details: `${hostId}: ${error.code}`,
    })
  }

  /**
   * Stores the host and its token. Runs under the mutex, because two reports could claim the same identity or
   * token.
   */
  async function enrol(kind: AgentKind, report: AgentReport, { principal }: Sender): Promise<Enrolment> {
    const token = tokenOf(principal)
    const { isNew, token: other, binds, unblocks } = admit(kind, report, token)
    const { hostId, facts } = report
    if (binds) await tokens.bind(token!.id, { id: hostId, name: facts.displayName })
    if (unblocks) await hosts.allow(hostId)
    const own = other && { id: other.id, name: other.name, hint: other.hint }
    const host =
      hosts.byId(hostId) ?? newHost(hosts.newKey(kind.name), report, own, clock.now(), kind.nothingKept)
    if (isNew) await hosts.add(host)
    else if (own) {
      host.token = own
      await hosts.save(host)
    }
    return { host, isNew, token: own }
  }

  /** Audits a new host, or a new token of a known one. */
  async function auditEnrolment({ host, isNew, token }: Enrolment, { principal: by, caller }: Sender) {
    const target = host.facts.displayName
    const shown = token && `${token.name} (${token.hint})`
    if (isNew) {
      log.info({ host: target, hostId: host.id }, `new ${noun} registered`)
      const details = [host.id, shown && `token ${shown}`].filter(Boolean).join(', ')
      await audit.record({ event: `${name}_host_enrolled`, by, caller, target, details })
    } else if (shown) {
      const details = `${host.id}: reports with the token ${shown} from now on`
      await audit.record({ event: `${name}_host_changed`, by, caller, target, details })
    }
  }

  async function hostOf(kind: AgentKind, report: AgentReport, sender: Sender): Promise<Host> {
    if (isSettled(admit(kind, report, tokenOf(sender.principal)))) return hosts.byId(report.hostId)!
    const enrolment = await hosts.runExclusive(() => enrol(kind, report, sender))
    await auditEnrolment(enrolment, sender)
    if (hosts.byId(report.hostId) === enrolment.host) return enrolment.host
    throw new AppError(`${name}_host_removed`, 'The host was removed during this report.')
  }

  const isSettled = ({ isNew, token, binds, unblocks }: Admission) => !isNew && !token && !binds && !unblocks

  function apply(host: Host, report: AgentReport) {
    const now = clock.now()
    const kind = kinds.of(host)
    const others = hosts.all().filter((one) => one !== host && kinds.of(one) === kind)
    const { isOnline } = host
    const wasShownOnline = isShownOnline(host)
    if (!isLate(host, report)) {
      Object.assign(host, kind.keep(report, host, others, now))
      host.facts = report.facts
      host.sentAt = report.sentAt
    }
    host.isOnline = true
    host.wasOnline = false
    host.awaitedSince = undefined
    host.reportedAt = clock.monotonic()
    host.lastSeenAt = Math.round(host.reportedAt + offset())
    if (isBackForGood(host, clock)) host.pendingUninstall = false
    expire(host, clock)
    const command = dispatch(host, now)
    hosts.show(host)
    if (wasShownOnline) hosts.touch(host)
    else hosts.saveSoon(host)
    if (!isOnline) {
      log.info({ host: host.facts.displayName }, `${noun} online`)
      onNews()
    }
    return command
  }

  return {
    checkRate({ principal }) {
      const isForOne = tokenOf(principal)?.oneHost
      const bytes = isForOne ? bytesOfHosts : bytesOfTokens
      const reports = isForOne ? ofHosts : ofTokens
      refuseFor(bytes.waitMs(principal.id))
      refuseFor(reports.take(principal.id))
    },
    unpacked({ principal }, bytes) {
      const limit = tokenOf(principal)?.oneHost ? bytesOfHosts : bytesOfTokens
      refuseFor(limit.take(principal.id, bytes))
    },
    async report(body, sender) {
      const kind = kinds.named(nameOfKind(body))
      const report = kind.read(body)
      // The key has the caller's id, so that a report under another host's identity does not use up that
      // host's rate.
      refuseFor(ofHosts.take(`${sender.principal.id} ${report.hostId}`))
      try {
        const host = await hostOf(kind, report, sender)
        const command = apply(host, report)
        return {
          success: true,
          hostId: host.id,
          ...kind.counts(host.kept),
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
          `${name}_command_ack_failed`,
          'This host has no such command, or the command has already ended.',
        )
      }
      const { pendingUninstall } = host
      const settled = settle(host, command, outcome, message, clock.now())
      try {
        await hosts.runExclusive(() => (outcome === 'completed' ? hosts.remove(host) : hosts.save(host)))
      } catch (error) {
        // The agent repeats the refused acknowledgement.
        Object.assign(host, { command, pendingUninstall })
        throw error
      }
      if (outcome !== 'completed') hosts.show(host)
      onNews()
      if (outcome !== 'acknowledged') {
        const success = outcome === 'completed'
        const target = host.facts.displayName
        const details = [host.id, message].filter(Boolean).join(': ')
        await audit.record({ event: `${name}_stop_ended`, success, by: principal, caller, target, details })
      }
      return { hostId: host.id, command: settled }
    },
  }
}

function refuseFor(waitMs: number): void {
  if (waitMs > 0) throw tooManyRequests(waitMs)
}
