import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { makeNetwork } from './network.ts'

/** A real engine, started for a test. */
export interface Engine {
  /** its API socket */
  socket: string
  /** prefix of a command line that reaches its published ports */
  enter: readonly string[]
  /** runs `docker` or `podman` as on a command line; resolves with the output */
  cli: (...args: string[]) => Promise<string>
  /** a folder that is removed with the engine */
  folder: string
  stop: () => Promise<void>
}

interface Kind {
  needs: string[]
  /** the command line of the engine */
  command: (folder: string, socket: string) => { args: string[]; env?: Record<string, string> }
  /** the command line of its client */
  client: (folder: string, socket: string) => string[]
  /** arguments that kill and remove containers at once */
  removal: string[]
  /** mounts that the engine leaves behind */
  mounts: string[]
}

const startMs = 30_000

/** Undefined, with a printed reason, if the engine is not available. */
export const startDocker = (): Promise<Engine | undefined> => start('Docker engine', docker)
export const startPodman = (): Promise<Engine | undefined> => start('Podman service', podman)

const docker: Kind = {
  needs: ['/usr/sbin/dockerd', '/usr/bin/docker', '/bin/busybox'],
  command: (folder, socket) => ({
    args: [
      ...`/usr/sbin/dockerd --host unix://${socket} --pidfile ${folder}/engine.pid`.split(' '),
      ...`--data-root ${folder}/data --exec-root ${folder}/exec --storage-driver overlay2`.split(' '),
      ...'--exec-opt native.cgroupdriver=cgroupfs --bip 172.30.0.1/24'.split(' '),
    ],
  }),
  client: (_folder, socket) => ['/usr/bin/docker', '--host', `unix://${socket}`],
  removal: ['rm', '-f'],
  mounts: ['exec/netns/default', 'data'],
}

/**
 * Podman's default runtime refuses mixed control group versions, and its default limits exceed those that CI
 * may set.
 */
const podmanConfig = `[containers]
default_ulimits = ["nofile=4096:4096", "nproc=8192:8192"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
`

const podmanArgs = (folder: string) =>
  `/usr/bin/podman --root ${folder}/root --runroot ${folder}/run --tmpdir ${folder}/tmp --network-config-dir ${folder}/net`.split(
    ' ',
  )

const podman: Kind = {
  needs: ['/usr/bin/podman', '/usr/sbin/runc', '/bin/busybox'],
  command: (folder, socket) => {
    fs.writeFileSync(`${folder}/containers.conf`, podmanConfig)
    return {
      args: [...podmanArgs(folder), 'system', 'service', '--time', '0', `unix://${socket}`],
      env: { CONTAINERS_CONF: `${folder}/containers.conf` },
    }
  },
  client: (folder) => ['env', `CONTAINERS_CONF=${folder}/containers.conf`, ...podmanArgs(folder)],
  removal: ['rm', '-f', '-t', '0'],
  mounts: ['root/overlay', 'root'],
}

async function start(what: string, kind: Kind): Promise<Engine | undefined> {
  const missing = kind.needs.filter((file) => !fs.existsSync(file))
  const why =
    process.platform !== 'linux' || process.getuid?.() !== 0
      ? 'needs root on Linux'
      : missing.length > 0 && `${missing.join(', ')} not installed`
  if (why) return skip(what, why)
  // short, because a socket path has at most 108 characters
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'dk-'))
  const socket = `${folder}/engine.sock`
  let network: ReturnType<typeof makeNetwork>
  try {
    network = makeNetwork()
  } catch (error) {
    fs.rmSync(folder, { recursive: true })
    return skip(what, `no network namespace: ${String(error)}`)
  }
  const { args, env } = kind.command(folder, socket)
  const log = fs.openSync(`${folder}/engine.log`, 'w')
  // the engine ends with the process that started it, even if that was killed
  const line = [...network.enter, 'setpriv', '--pdeathsig', 'TERM', '--', ...args]
  const child = spawn(line[0]!, line.slice(1), {
    stdio: ['ignore', log, log],
    env: { ...process.env, ...env },
  })
  fs.closeSync(log)
  const client = [...network.enter, ...kind.client(folder, socket)]
  const cli = async (...words: string[]) => {
    const all = [...client, ...words]
    const { stdout } = await promisify(execFile)(all[0]!, all.slice(1), { maxBuffer: 64 * 1024 * 1024 })
    return stdout.trim()
  }
  const remove = async () => {
    await end(child)
    for (const mount of kind.mounts) unmount(`${folder}/${mount}`)
    network.remove()
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
  if (!(await answers(child, socket))) {
    const last = fs.readFileSync(`${folder}/engine.log`, 'utf8').trim().split('\n').slice(-3).join('\n')
    await remove()
    return skip(what, `it did not start:\n${last}`)
  }
  const stop = async () => {
    const all = (await cli('ps', '-aq')).split('\n').filter((id) => id !== '')
    if (all.length > 0) await cli(...kind.removal, ...all)
    await remove()
  }
  return { socket, enter: network.enter, cli, folder, stop }
}

function skip(what: string, why: string): undefined {
  process.stdout.write(`skipped: no ${what} (${why})\n`)
  return undefined
}

async function answers(child: ChildProcess, socketPath: string): Promise<boolean> {
  const until = performance.now() + startMs
  while (performance.now() < until && child.exitCode === null && child.signalCode === null) {
    if (await pings(socketPath)) return true
    // an engine does not announce that it is ready, so the test polls it
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return false
}

const pings = (socketPath: string) =>
  new Promise<boolean>((resolve) => {
    const request = http.get({ socketPath, path: '/_ping', timeout: 5_000 }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(false))
  })

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), 20_000)
  await ended
  clearTimeout(late)
}

/** Paths that are not mounted are ignored. */
function unmount(folder: string): void {
  if (!fs.readFileSync('/proc/self/mounts', 'utf8').includes(` ${folder} `)) return
  execFileSync('umount', [folder], { stdio: 'ignore' })
}
