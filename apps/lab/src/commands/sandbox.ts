import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { privilegesOf } from '../access/roles.ts'
import type { PveMajor } from '../options.ts'
import { hash, seededUuid } from '../random.ts'
import type { HostAccounts } from './accounts.ts'
import { type Command, type CommandAnswer, printed, refused } from './answer.ts'
import { backupManager } from './backup-manager.ts'
import { type CommandNode, pvesh } from './pvesh.ts'
import { pveum } from './pveum.ts'
import { openShims } from './shims.ts'

export interface SandboxOptions {
  product: 'pve' | 'pbs'
  /** like 8.4.5 */
  version: string
  /** of the certificate that the host shows */
  fingerprint?: string
  hostname?: string
  /** further members; with them the host is part of a cluster */
  members?: readonly CommandNode[]
  /** 0 is root */
  userId?: number
  /** secret of each new token; made up when absent */
  newSecret?: (tokenId: string) => string
}

export interface SandboxRun {
  code: number
  stdout: string
  stderr: string
}

/** A host of Proxmox with nothing on it but its commands: a folder first on the PATH. */
export interface Sandbox {
  accounts: HostAccounts
  /** with the commands on the PATH */
  env: Record<string, string>
  /** every command so far, its name first */
  calls: string[][]
  /** Commands that begin with these words fail, or do nothing and say they did. */
  spoil(words: readonly string[], how: 'fails' | 'lies'): void
  mend(): void
  /** Runs bash with these arguments, without a terminal. */
  bash(args: readonly string[], given?: { input?: string; env?: Record<string, string> }): Promise<SandboxRun>
  /** files that were not there at the start */
  newFiles(): string[]
  close(): Promise<void>
}

const someFingerprint = Array.from({ length: 32 }, (_, n) => (n + 16).toString(16).toUpperCase()).join(':')

export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { product, version, hostname = 'lab1', userId = 0, fingerprint = someFingerprint } = options
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-sandbox-'))
  const [bin, work] = [path.join(dir, 'bin'), path.join(dir, 'work')]
  for (const folder of [bin, work]) fs.mkdirSync(folder)
  let drawn = 0
  const newSecret = options.newSecret ?? (() => seededUuid(hash(`${dir}/${++drawn}`)))
  const major = Number(version.split('.')[0])
  const accounts = firstAccounts(product, major)
  const node: CommandNode = { name: hostname, address: '127.0.0.1', online: true, fingerprint }
  const members = options.members ?? []
  const commands: Record<string, Command> = {
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
  const calls: string[][] = []
  let spoilt: { words: readonly string[]; how: 'fails' | 'lies' } | undefined

  function run(name: string, args: string[]): CommandAnswer {
    const call = [name, ...args]
    calls.push(call)
    if (spoilt?.words.every((word, i) => call[i] === word)) {
      return spoilt.how === 'lies' ? printed() : refused(`${name}: this does not work today`, 1)
    }
    return commands[name]!(args)
  }

  const shims = await openShims(bin, Object.keys(commands), run)
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: work, TMPDIR: work }
  const filesNow = () => fs.readdirSync(dir, { recursive: true }).map(String)
  const filesAtStart = new Set(filesNow())

  return {
    accounts,
    env,
    calls,
    spoil: (words, how) => void (spoilt = { words, how }),
    mend: () => void (spoilt = undefined),
    bash: (args, given = {}) => runBash(args, work, { ...env, ...given.env }, given.input ?? ''),
    newFiles: () => filesNow().filter((name) => !filesAtStart.has(name)),
    async close() {
      await shims.close()
      fs.rmSync(dir, { recursive: true, force: true })
    },
  }
}

function firstAccounts(product: 'pve' | 'pbs', major: number): HostAccounts {
  const roles: [string, readonly string[]][] =
    product === 'pbs'
      ? [
          ['Audit', ['Sys.Audit', 'Datastore.Audit']],
          ['RemoteAudit', ['Remote.Audit']],
          ['Admin', []],
        ]
      : (['PVEAuditor', 'PVEDatastoreAdmin', 'PVEVMUser'] as const).map((role) => [
          role,
          privilegesOf(role, Math.min(major, 9) as PveMajor),
        ])
  return { users: new Set(['root@pam']), tokens: new Map(), roles: new Map(roles), acl: [] }
}

/** In a session of its own, so that no terminal of ours can be asked for anything. */
function runBash(
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  input: string,
): Promise<SandboxRun> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/bash', args, { cwd, env, detached: true, stdio: 'pipe' })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    // It may end without having read what it was given.
    child.stdin.on('error', () => child.stdin.destroy())
    child.stdin.end(input)
    child.once('error', reject)
    child.once('close', (code) => resolve({ code: code ?? -1, stdout, stderr }))
  })
}
