import type { DockerCommand, DockerHost } from '@pulse/contract'
import { displayName } from '../../../lib/display-name.ts'
import type { LiveReader } from '../../../live/store.ts'
import { compareValues } from '../../../ui/table/sort.ts'
import { stopPhase, type StopPhase } from './stop-state.ts'

/** A Docker host, as far as its administration needs it. */
export interface Host {
  /** store id of its record and of its source */
  key: string
  /** id used in API calls */
  id: string
  name: string
  hostname: string
  /** operating system and architecture */
  system: string
  status: string
  isOnline: boolean
  /** its container engine; agents that do not report one use Docker */
  engine: 'Docker' | 'Podman'
  engineVersion: string | undefined
  agentVersion: string | undefined
  intervalSeconds: number
  tokenId: string | undefined
  tokenName: string | undefined
  tokenHint: string | undefined
  hidden: boolean
  command: DockerCommand | undefined
  phase: StopPhase
  /** host name of another machine that reports with the same identity */
  double: string | undefined
  /** minutes its clock is ahead; negative if behind */
  clockAheadMinutes: number
  /** parts of its reports that exceed the size limits */
  cut: string
}

function toHost(key: string, record: DockerHost): Host {
  return {
    key,
    id: record.id,
    name: displayName({ displayName: record.displayName, name: record.hostname }) || record.id,
    hostname: record.hostname,
    system: [record.os, record.architecture].filter((part) => part?.trim()).join(' · '),
    status: record.status,
    isOnline: record.status === 'online',
    engine: record.engine === 'podman' ? 'Podman' : 'Docker',
    engineVersion: record.dockerVersion,
    agentVersion: record.agentVersion,
    intervalSeconds: record.intervalSeconds,
    tokenId: record.tokenId,
    tokenName: record.tokenName,
    tokenHint: record.tokenHint,
    hidden: record.hidden,
    command: record.command,
    phase: stopPhase(record),
    double: record.conflict?.hostname,
    clockAheadMinutes: record.clockAheadMinutes ?? 0,
    cut: record.cut?.join(', ') ?? '',
  }
}

/** All hosts by name, including hidden ones. */
export function selectHosts(live: LiveReader): readonly Host[] {
  return [...live.records('dockerHosts')]
    .map(([key, record]) => toHost(key, record))
    .toSorted((a, b) => compareValues(a.name, b.name) || (a.key < b.key ? -1 : 1))
}

/** A host reports twice a minute, but these fields rarely change. */
export const sameHosts = (a: readonly Host[], b: readonly Host[]): boolean =>
  a.length === b.length && a.every((one, index) => isSame(one, b[index]!))

const isSame = (a: Host, b: Host): boolean =>
  (Object.keys(a) as (keyof Host)[]).every((field) =>
    field === 'command' ? isSameCommand(a.command, b.command) : a[field] === b[field],
  )

const isSameCommand = (a: DockerCommand | undefined, b: DockerCommand | undefined): boolean =>
  a?.id === b?.id && a?.status === b?.status && a?.updatedAt === b?.updatedAt

/** Matches any part of a name, the system, the status or the token. */
export function isMatch(host: Host, search: string): boolean {
  const wanted = search.trim().toLowerCase()
  const { name, hostname, system, status, tokenName = '' } = host
  return [name, hostname, system, status, tokenName].some((text) => text.toLowerCase().includes(wanted))
}

type WithToken = Pick<Host, 'key' | 'name' | 'tokenId'>

/** Names of the hosts that report with this token. */
export const hostsOfToken = (hosts: readonly WithToken[], tokenId: string): readonly string[] =>
  hosts.filter((host) => host.tokenId === tokenId).map(({ name }) => name)

/** By record id: names of other hosts that share the token. Unshared tokens are absent. */
export function sharedTokens(hosts: readonly WithToken[]): ReadonlyMap<string, readonly string[]> {
  const byToken = Map.groupBy(
    hosts.filter(({ tokenId }) => tokenId !== undefined),
    ({ tokenId }) => tokenId!,
  )
  const shared = new Map<string, readonly string[]>()
  for (const users of byToken.values()) {
    if (users.length < 2) continue
    for (const { key } of users) {
      shared.set(
        key,
        users.filter((other) => other.key !== key).map(({ name }) => name),
      )
    }
  }
  return shared
}
