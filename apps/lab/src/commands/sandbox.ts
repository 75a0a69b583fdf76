import { allPrivileges, privilegesOf } from '../access/roles.ts'
import type { PveMajor } from '../options.ts'
import { hash, seededUuid } from '../random.ts'
import type { HostAccounts } from './accounts.ts'
import { type Command, printed, printedJson, refused } from './answer.ts'
import { backupManager } from './backup-manager.ts'
import { pveum } from './pveum.ts'
import { type CommandShell, openShell, type RunOptions, type SandboxRun } from './shell.ts'

export interface SandboxOptions {
  product: 'pve' | 'pbs'
  /** like 8.4.5 */
  version: string
  /** of the host's certificate */
  fingerprint?: string
  hostname?: string
  /** further members, which make the host part of a cluster */
  members?: readonly CommandNode[]
  /** 0 is root */
  userId?: number
  /** secret of each new token; random if absent */
  newSecret?: (tokenId: string) => string
}

/** A Proxmox host that has only its commands. */
export interface Sandbox extends Omit<CommandShell, 'dir' | 'bin' | 'run'> {
  accounts: HostAccounts
  /** Runs bash with these arguments, without a terminal. */
  bash(args: readonly string[], given?: RunOptions): Promise<SandboxRun>
}

const someFingerprint = Array.from({ length: 32 }, (_, n) => (n + 16).toString(16).toUpperCase()).join(':')

export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { product, version, hostname = 'lab1', userId = 0, fingerprint = someFingerprint } = options
  let drawn = 0
  const major = Number(version.split('.')[0])
  const accounts = firstAccounts(product, major)
  const node: CommandNode = { name: hostname, address: '127.0.0.1', online: true, fingerprint }
  const members = options.members ?? []
  const commandsIn = (dir: string): Record<string, Command> => {
    const newSecret = options.newSecret ?? (() => seededUuid(hash(`${dir}/${++drawn}`)))
    return {
      id: () => printed(`${userId}\n`),
      hostname: () => printed(`${hostname}\n`),
      ...(product === 'pve'
        ? {
            pveversion: () => printed(`pve-manager/${version}/ab12cd34 (running kernel: 6.8.12-1-pve)\n`),
            pveum: pveum(accounts, Math.min(major, 9) as PveMajor, newSecret),
            pvesh: pvesh([node, ...members], members.length > 0 ? 'lab' : undefined),
          }
        : { 'proxmox-backup-manager': backupManager(accounts, { version, fingerprint }, newSecret) }),
    }
  }
  const { run, dir: _dir, bin: _bin, ...shell } = await openShell(commandsIn)
  return { ...shell, accounts, bash: (args, given) => run('/bin/bash', args, given) }
}

function firstAccounts(product: 'pve' | 'pbs', major: number): HostAccounts {
  const release = Math.min(major, 9) as PveMajor
  const roles: [string, readonly string[]][] =
    product === 'pbs'
      ? [
          ['Audit', ['Sys.Audit', 'Datastore.Audit']],
          ['RemoteAudit', ['Remote.Audit']],
          ['Admin', []],
        ]
      : [
          ['Administrator', allPrivileges(release)],
          ...(['PVEAuditor', 'PVEDatastoreAdmin', 'PVEVMUser'] as const).map(
            (role): [string, readonly string[]] => [role, privilegesOf(role, release)],
          ),
        ]
  return { users: new Set(['root@pam']), tokens: new Map(), roles: new Map(roles), acl: [] }
}

/** A node as `pvesh` describes it. */
interface CommandNode {
  name: string
  address: string
  online: boolean
  /** of its web interface's certificate: upper-case pairs with colons */
  fingerprint: string
}

/** The API tool of Proxmox VE, on the first of these nodes. */
function pvesh(nodes: readonly CommandNode[], clusterName: string | undefined): Command {
  const members = nodes.map(({ name, address, online }, n) => ({
    id: `node/${name}`,
    ip: address,
    level: '',
    local: n === 0 ? 1 : 0,
    name,
    nodeid: n + 1,
    online: online ? 1 : 0,
    type: 'node',
  }))
  const cluster = {
    id: 'cluster',
    name: clusterName,
    nodes: nodes.length,
    quorate: 1,
    type: 'cluster',
    version: 3,
  }
  return ([verb, path = '', ...rest]) => {
    if (verb !== 'get' || rest.join(' ') !== '--output-format json') return refused('ERROR: unknown command')
    if (path === '/cluster/status')
      return printedJson(clusterName === undefined ? members : [cluster, ...members])
    const name = /^\/nodes\/([^/]+)\/certificates\/info$/.exec(path)?.[1]
    const node = nodes.find((one) => one.name === name)
    if (!node) return refused(`No '${path}' handler defined for 'get'`, 2)
    if (!node.online) return refused(`ssh: connect to host ${node.address} port 22: No route to host`)
    return printedJson([
      {
        filename: 'pve-root-ca.pem',
        fingerprint: Array(32).fill('00').join(':'),
        subject: '/CN=Proxmox Virtual Environment',
      },
      {
        filename: 'pve-ssl.pem',
        fingerprint: node.fingerprint,
        san: ['127.0.0.1', name],
        subject: `/CN=${name}`,
      },
    ])
  }
}
