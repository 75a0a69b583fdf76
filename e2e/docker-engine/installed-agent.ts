import { type ContainerHost, openContainerHost } from '@pulse/lab'
import type { Engine } from '@pulse/testkit/engine'
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

/** An agent that the command shown by Pulse has installed and that the host's services run. */
export interface InstalledAgent {
  host: ContainerHost
  /** its exit code, or the signal that ended it */
  ended: Promise<number | string>
  kill(): void
  /** its output so far */
  log(): string
  close(): Promise<void>
}

/**
 * Runs an install command on a simulated host; `changed` adds options to the line that starts the agent. The test does
 * not touch this machine: the script's ROOT is a temporary folder, the lab fakes systemd, this file starts the program,
 * and DOCKER_HOST replaces the engine's usual socket.
 */
export async function installAgent(
  command: string,
  engine: Engine,
  changed: readonly string[],
): Promise<InstalledAgent> {
  const engineId = await engine.cli('info', '--format', '{{.ID}}')
  const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64'
  const host = await openContainerHost({ engineId, machine })
  try {
    const [fetching = '', running = ''] = command.split(' | ')
    const fetched = await succeed(host.sh(['-c', fetching]))
    const script = fetched.replace("readonly ROOT=''", `readonly ROOT='${host.root}'`)
    if (script === fetched) throw new Error('the script names no ROOT: it would change this machine')
    await succeed(host.sh(['-c', running], { input: script }))
    return { host, ...startService(host, engine, changed) }
  } catch (error) {
    await host.close()
    throw error
  }
}

async function succeed(run: ReturnType<ContainerHost['sh']>): Promise<string> {
  const { code, stdout, stderr } = await run
  if (code !== 0) throw new Error(`it ended with ${code}: ${stderr}${stdout}`)
  return stdout
}

/** Replaces this machine's /etc and systemctl by the host's, with no more rights than the unit grants. */
const enter = `
mount -t overlay overlay -o "lowerdir=$1/etc:/etc" /etc
mount -t overlay overlay -o "lowerdir=$2:/usr" /usr
shift 2
umask 077
exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all --pdeathsig KILL -- "$@"`

function startService(host: ContainerHost, engine: Engine, changed: readonly string[]) {
  const unit = fs.readFileSync(`${host.root}/etc/systemd/system/pulse-docker-agent.service`, 'utf8')
  const [, program = '', options = ''] = /^ExecStart="([^"]+)"(.*)$/m.exec(unit)!
  const [, file = ''] = /^EnvironmentFile=(.*)$/m.exec(unit)!
  const variables = [...fs.readFileSync(file, 'utf8').matchAll(/^(\w+)="(.*)"$/gm)].map(
    ([, name, value]) => [name, value!.replaceAll(/\\(.)/g, '$1')] as const,
  )
  const words = [program, ...options.split(' ').filter(Boolean), ...changed]
  const args = ['--mount', 'sh', '-ec', enter, 'sh', host.root, ownSystemctl(host), ...words]
  const child = spawn('unshare', args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...Object.fromEntries(variables), DOCKER_HOST: `unix://${engine.socket}`, PATH: '/usr/bin:/bin' },
  })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text))
  const ended = new Promise<number | string>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? signal!))
  })
  const kill = () => void child.kill('SIGKILL')
  const close = async () => {
    kill()
    await ended
    await host.close()
  }
  return { ended, kill, log: () => log, close }
}

/** A /usr with the host's systemctl only; its standard input is closed, so that it does not wait for input. */
function ownSystemctl(host: ContainerHost): string {
  const usr = path.join(host.root, '../usr')
  fs.mkdirSync(path.join(usr, 'bin'), { recursive: true })
  const shim = path.join(host.root, '../bin/systemctl')
  const text = `#!/bin/sh\nexec ${shim} "$@" </dev/null\n`
  fs.writeFileSync(path.join(usr, 'bin/systemctl'), text, { mode: 0o755 })
  return usr
}
