import type { Clock } from '@pulse/domain'
import { execFile } from 'node:child_process'
import { isSshAddress } from './names.ts'

export const sshPath = '/usr/bin/ssh'
export const sshUser = 'pulse-sensors'
export const keyFile = 'id_ed25519'

export const sshLimits = { connectSeconds: 5, wholeMs: 10_000, maxBytes: 256 * 1024 }

export interface SshRun {
  /** contains the key and the host keys; ssh runs in this folder, so that no path is an argument */
  folder: string
  user: string
  address: string
  port: number
  alias: string
  hostKeyFile: string
  /** the first contact, which an administrator has requested: accept the presented host key */
  acceptNewKey: boolean
}

/** A user-readable reason for a missing reading. */
export class SensorsError extends Error {
  override name = 'SensorsError'
}

/** Ignores the SSH settings of the machine, the user and the environment. */
export function sshArguments({ user, address, port, alias, hostKeyFile, acceptNewKey }: SshRun): string[] {
  const options = {
    BatchMode: 'yes',
    StrictHostKeyChecking: acceptNewKey ? 'accept-new' : 'yes',
    UserKnownHostsFile: hostKeyFile,
    GlobalKnownHostsFile: '/dev/null',
    HostKeyAlias: alias,
    HashKnownHosts: 'no',
    UpdateHostKeys: 'no',
    VerifyHostKeyDNS: 'no',
    IdentityFile: keyFile,
    IdentitiesOnly: 'yes',
    IdentityAgent: 'none',
    PreferredAuthentications: 'publickey',
    ClearAllForwardings: 'yes',
    ForwardAgent: 'no',
    PermitLocalCommand: 'no',
    ControlMaster: 'no',
    ControlPath: 'none',
    CanonicalizeHostname: 'no',
    ConnectionAttempts: '1',
    ConnectTimeout: String(sshLimits.connectSeconds),
    LogLevel: 'ERROR',
  }
  const pairs = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  return ['-F', '/dev/null', '-n', '-T', ...pairs, '-p', String(port), '-l', user, '--', address]
}

/** Returns the text that the helper prints on the node. */
export function readOverSsh(run: SshRun, clock: Clock, signal?: AbortSignal): Promise<string> {
  if (!isSshAddress(run.address)) {
    return Promise.reject(new SensorsError('this is not the address of a host'))
  }
  return new Promise((resolve, reject) => {
    let late = false
    const child = execFile(
      sshPath,
      sshArguments(run),
      {
        cwd: run.folder,
        env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
        maxBuffer: sshLimits.maxBytes,
        killSignal: 'SIGKILL',
        encoding: 'utf8',
      },
      (error, stdout, stderr) => {
        cancel()
        signal?.removeEventListener('abort', kill)
        if (!error) resolve(stdout)
        else reject(new SensorsError(late ? tooSlow : failureOf(error, stderr), { cause: error }))
      },
    )
    const kill = () => void child.kill('SIGKILL')
    const cancel = clock.after(sshLimits.wholeMs, () => {
      late = true
      kill()
    })
    if (signal?.aborted) kill()
    signal?.addEventListener('abort', kill)
  })
}

const tooSlow = `did not answer within ${sshLimits.wholeMs / 1000} s`

const reasons: readonly [RegExp, string][] = [
  [/no such identity|load key/i, 'the key in the data folder cannot be read'],
  [
    /host identification has changed|host key verification failed/i,
    'its host key is not the one that was stored when it was set up. If the host was reinstalled, ' +
      'disable and enable its temperature, then check it again',
  ],
  [
    /permission denied/i,
    'refused the key: run the setup script on it, and check the addresses that it allows',
  ],
  [/connection refused/i, 'refused the connection: is its SSH service running?'],
  [/timed out|timeout/i, 'cannot be reached over SSH'],
  [/could not resolve/i, 'its name cannot be resolved'],
  [/no route|unreachable/i, 'cannot be reached over SSH'],
  [/connection (?:closed|reset)|kex_exchange/i, 'closed the connection'],
  [/no user exists/i, 'ssh cannot find the user that runs Pulse'],
]

function failureOf(error: Error & { code?: unknown }, stderr: string): string {
  if (error.code === 'ENOENT') return `${sshPath} is missing where Pulse runs: install the OpenSSH client`
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') {
    return `sent more than ${sshLimits.maxBytes >> 10} KB`
  }
  const known = reasons.find(([pattern]) => pattern.test(stderr))
  if (known) return known[1]
  return error.code === 255 ? 'cannot be reached over SSH' : 'its temperature helper failed'
}
