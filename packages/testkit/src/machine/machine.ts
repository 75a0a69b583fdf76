import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { AddressInfo, Server } from 'node:net'
import { fileURLToPath } from 'node:url'
import { wire } from './wire.ts'

export interface MachineRun {
  code: number | null
  stdout: string
  stderr: string
}

/**
 * A machine for real installations. It has this machine's programs, but its own folders where an installation
 * writes, its own users, a network with a loopback only, and a replacement for systemd that runs units.
 */
export interface Machine {
  /** a folder that both machines see under this path */
  folder: string
  /** Runs a script on the machine, as root. */
  sh(script: string, env?: Record<string, string>): Promise<MachineRun>
  /** Returns a port of this loopback that leads to the given port of the machine's loopback. */
  reach(port: number): Promise<number>
  /** Connects that port of the machine's loopback to the same port of this loopback. */
  offer(port: number): Promise<void>
  close(): Promise<void>
}

/** The machine's folders start as copies of this machine's. Changes end with the machine. */
const ownFolders = ['etc', 'opt', 'var', 'usr/local']

const bootScript = `
mount -t tmpfs tmpfs "$1"
for folder in ${ownFolders.join(' ')}; do
  mkdir -p "$1/upper/$folder" "$1/work/$folder"
  mount -t overlay overlay -o "lowerdir=/$folder,upperdir=$1/upper/$folder,workdir=$1/work/$folder" "/$folder"
done
mount -t tmpfs -o mode=755 tmpfs /run
mkdir -p /run/systemd/system
printf '#!/bin/sh\\nexec "%s" "%s" "$@"\\n' "$2" "$3" >/usr/local/bin/systemctl
chmod 0755 /usr/local/bin/systemctl
ip link set lo up
# not exec: orphans are reaped by a shell that waits
"$2" "$4"
exit 1
`

/** Undefined, with a printed reason, if a machine cannot be created. */
export async function openMachine(): Promise<Machine | undefined> {
  const why = whyNot()
  if (why) {
    console.log(`skipped: no machine of its own: ${why}`)
    return undefined
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-machine-'))
  // services access it as another user
  fs.chmodSync(folder, 0o755)
  const layers = `${folder}.layers`
  fs.mkdirSync(layers)
  const beside = (name: string) => fileURLToPath(new URL(name, import.meta.url))
  const child = spawn(
    'setpriv',
    [
      // the machine ends with the process that started it, even if that was killed
      ...'--pdeathsig KILL -- unshare --mount --pid --net --fork --kill-child --mount-proc -- sh -ec'.split(
        ' ',
      ),
      bootScript,
      'sh',
      layers,
      process.execPath,
      beside('systemctl.mjs'),
      beside('units.mjs'),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = once(child, 'exit')
  const said = await Promise.race([once(child.stdout, 'data'), ended.then(() => undefined)])
  if (!said) throw new Error('the machine did not start; it said why above')
  const first = fs.readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim()
  const enter = (command: string[], env = {}) =>
    spawn('nsenter', ['--target', first, '--mount', '--pid', '--net', ...command], {
      env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  const ends: Server[] = []
  /** The inner half of a wire. */
  async function wireInside(from: string, to: string): Promise<void> {
    const half = enter([process.execPath, beside('wire.ts'), from, to])
    half.stderr.pipe(process.stderr)
    await once(half.stdout, 'data')
  }
  return {
    folder,
    async reach(port) {
      const socket = path.join(folder, `reach-${port}`)
      await wireInside(socket, String(port))
      const end = await wire(0, socket)
      ends.push(end)
      return (end.address() as AddressInfo).port
    },
    async offer(port) {
      const socket = path.join(folder, `offer-${port}`)
      ends.push(await wire(socket, port))
      await wireInside(String(port), socket)
    },
    async sh(script, env = {}) {
      const run = enter(['sh', '-c', script], env)
      const texts = { stdout: '', stderr: '' }
      for (const name of ['stdout', 'stderr'] as const)
        run[name].setEncoding('utf8').on('data', (part: string) => (texts[name] += part))
      const [code] = (await once(run, 'close')) as [number | null]
      return { code, ...texts }
    },
    async close() {
      for (const end of ends) end.close()
      child.kill('SIGKILL')
      await ended
      for (const one of [folder, layers]) fs.rmSync(one, { recursive: true, force: true })
    },
  }
}

function whyNot(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs root on Linux'
  const { status, stderr } = spawnSync('unshare', ['--mount', '--pid', '--net', '--fork', 'true'])
  return status === 0 ? undefined : `unshare: ${String(stderr).trim()}`
}
