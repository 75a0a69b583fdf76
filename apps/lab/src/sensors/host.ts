import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'

const sshdPath = '/usr/sbin/sshd'
export const hasSshd = (): boolean => fs.existsSync(sshdPath)

/** The SSH service of a host, run by the real sshd: its own keys, its own settings, one address in 127.0.0.0/8. */
export interface SensorsHost {
  address: string
  port: number
  /** the account that runs the lab, because sshd without root accepts no other account */
  user: string
  /** Writes these lines to its authorized_keys file. */
  authorize(lines: string): void
  /** Every log line since it was started or renewed. */
  log(): string
  /** Simulates a reinstallation: same address, another host key. */
  renewHostKey(): Promise<void>
  close(): Promise<void>
}

export async function startSensorsHost(address: string): Promise<SensorsHost> {
  if (!address.startsWith('127.')) throw new Error(`${address} is not a loopback address`)
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lab-sshd-'))
  const file = (name: string) => path.join(folder, name)
  const { username: user, uid } = os.userInfo()
  if (uid === 0) fs.mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
  const port = await freePort(address)
  fs.writeFileSync(file('authorized_keys'), '', { mode: 0o600 })
  fs.writeFileSync(
    file('sshd_config'),
    [
      `ListenAddress ${address}`,
      `Port ${port}`,
      `HostKey ${file('host_key')}`,
      `AuthorizedKeysFile ${file('authorized_keys')}`,
      'PidFile none',
      'StrictModes no', // every user may write to the folder for temporary files
      'UsePAM no',
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
      'PermitRootLogin prohibit-password',
      'AllowTcpForwarding yes', // so that only the key's own restrictions can refuse
      'AllowAgentForwarding yes',
      'PermitTTY yes',
      'Subsystem sftp internal-sftp',
      'LogLevel VERBOSE',
      '',
    ].join('\n'),
  )
  let text = ''
  let child = await start()

  function makeHostKey() {
    fs.rmSync(file('host_key'), { force: true })
    execFileSync('/usr/bin/ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file('host_key')])
  }

  async function start(): Promise<ChildProcess> {
    makeHostKey()
    text = ''
    const process = spawn(sshdPath, ['-D', '-e', '-f', file('sshd_config')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    process.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()))
    await listens(process, () => text)
    return process
  }

  async function stop() {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
  }

  return {
    address,
    port,
    user,
    authorize: (lines) => fs.writeFileSync(file('authorized_keys'), lines),
    log: () => text,
    async renewHostKey() {
      await stop()
      child = await start()
    },
    async close() {
      await stop()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Reads the log: a probe would count as a connection. */
const listens = (process: ChildProcess, log: () => string) =>
  new Promise<void>((resolve, reject) => {
    process.stderr!.on('data', () => log().includes('Server listening on') && resolve())
    process.once('error', reject)
    process.once('exit', () => reject(new Error(`sshd ended: ${log()}`)))
  })

function freePort(address: string): Promise<number> {
  const server = net.createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, address, () => {
      const { port } = server.address() as net.AddressInfo
      server.close(() => resolve(port))
    })
  })
}
