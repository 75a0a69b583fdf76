import { type ContainerHost, openContainerHost } from '@pulse/lab'
import type { Engine } from '@pulse/testkit/engine'
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

/** An agent as the command that Pulse shows puts it on a host, and as the services of that host run it. */
export interface InstalledAgent {
  host: ContainerHost
  /** what it ended with: a code, or the signal that ended it */
  ended: Promise<number | string>
  kill(): void
  /** what it has said so far */
  log(): string
  close(): Promise<void>
}

/**
 * Runs an install command on a host of its own, with what `changed` adds to the line that starts the agent. In the place
 * of what a test must not touch stand: a tree of files of its own (the script's ROOT); systemd, which the lab plays, and
 * whose part of starting the program is done here; and the engine's usual socket (DOCKER_HOST).
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

/** The host's own /etc and its systemctl before those of this machine, and no more rights than the unit leaves. */
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

/** A /usr that has the host's systemctl alone, which does not wait for what it might be told on its input. */
function ownSystemctl(host: ContainerHost): string {
  const usr = path.join(host.root, '../usr')
  fs.mkdirSync(path.join(usr, 'bin'), { recursive: true })
  const shim = path.join(host.root, '../bin/systemctl')
  const text = `#!/bin/sh\nexec ${shim} "$@" </dev/null\n`
  fs.writeFileSync(path.join(usr, 'bin/systemctl'), text, { mode: 0o755 })
  return usr
}
