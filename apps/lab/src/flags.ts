import { parseArgs } from 'node:util'
import { OptionError, toSettings } from './options.ts'
import type { LabOptions } from './options.ts'

export interface Flags {
  options: LabOptions
  /** scenarios that run from the start */
  play: readonly string[]
  json: boolean
  help: boolean
}

export const usage = `npm run lab -- [--nodes 3] [--guests 75] [--seed 1] [--clusters 1] [--standalone]
  [--pve 7|8|9|mixed-by-cluster] [--ceph] [--pbs 0] [--pbs-version 2|3|4|mixed] [--backups N]
  [--pmg 0] [--pmg-version 7|8|9|mixed] [--pmg-cluster] [--docker 0] [--containers 12]
  [--docker-agents own|original|mixed] [--base 127.40] [--port 8006] [--control 7656]
  [--auth-delay 3000] [--load-period 10000] [--play SCENARIO]... [--json]

Plays a Proxmox estate over HTTPS on loopback addresses, and container hosts, until it is interrupted.
--json prints one line with everything a parent process needs.`

/** Throws an `OptionError` that names the mistake. */
export function parseFlags(args: readonly string[]): Flags {
  const values = parse(args)
  const numbers = {
    nodes: toNumber('nodes', values.nodes),
    guests: toNumber('guests', values.guests),
    pbs: toNumber('pbs', values.pbs),
    backups: toNumber('backups', values.backups),
    pmg: toNumber('pmg', values.pmg),
    seed: toNumber('seed', values.seed),
    clusters: toNumber('clusters', values.clusters),
    dockerHosts: toNumber('docker', values.docker),
    dockerContainers: toNumber('containers', values.containers),
    port: toNumber('port', values.port),
    controlPort: toNumber('control', values.control) ?? 7656,
    authDelayMs: toNumber('auth-delay', values['auth-delay']),
    loadPeriodMs: toNumber('load-period', values['load-period']),
  }
  const given = Object.entries({
    ...numbers,
    base: values.base,
    standalone: values.standalone,
    version: values.pve,
    pbsVersion: values['pbs-version'],
    pmgVersion: values['pmg-version'],
    pmgCluster: values['pmg-cluster'],
    ceph: values.ceph,
    dockerAgents: values['docker-agents'],
  })
  const options = Object.fromEntries(given.filter(([, value]) => value !== undefined)) as LabOptions
  toSettings(options)
  return { options, play: values.play ?? [], json: values.json ?? false, help: values.help ?? false }
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  try {
    return parseArgs({
      args: [...args],
      options: {
        nodes: text,
        guests: text,
        seed: text,
        clusters: text,
        standalone: flag,
        pve: text,
        pbs: text,
        'pbs-version': text,
        pmg: text,
        'pmg-version': text,
        'pmg-cluster': flag,
        backups: text,
        ceph: flag,
        docker: text,
        containers: text,
        'docker-agents': text,
        base: text,
        port: text,
        control: text,
        'auth-delay': text,
        'load-period': text,
        play: { type: 'string', multiple: true },
        json: flag,
        help: flag,
      },
    }).values
  } catch (cause) {
    throw new OptionError(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

function toNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d+$/.test(text)) throw new OptionError(`--${name} must be a whole number, not ${text}`)
  return Number(text)
}
