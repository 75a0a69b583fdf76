import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { builtSwitch, compileCache } from '../testing/built-server.ts'
import { platform as here } from './manifest.ts'

export const platform = here ?? 'linux-amd64'

export const aKey = () => generateKeyPairSync('ed25519')
type Key = ReturnType<typeof aKey>

interface SmallRelease {
  version: string
  key: Key | undefined
  /** it damages the data at its start, then crashes */
  broken?: boolean
  /** version in the folder itself, if different */
  inside?: string
  platform?: string
}

/** Answers like `pulse health --wait S --expect V`, for a simulated service that is a file. */
const launcher = `#!/bin/sh
folder=$(dirname "$(readlink -f "$0")")
exec sh "$folder/../../../stand-ins/health" "$5"
`

function layOut(
  folder: string,
  { version, key, broken = false, inside = version, platform: of = platform }: SmallRelease,
) {
  fs.mkdirSync(path.join(folder, 'bin'), { recursive: true })
  fs.writeFileSync(path.join(folder, 'bin/pulse'), launcher, { mode: 0o755 })
  fs.writeFileSync(
    path.join(folder, 'release.json'),
    JSON.stringify({ name: 'pulse', version: inside, platform: of, build: 'b', node: '0' }),
  )
  fs.writeFileSync(path.join(folder, 'version'), inside)
  if (broken) fs.writeFileSync(path.join(folder, 'broken'), '')
  if (key) fs.writeFileSync(path.join(folder, 'release-key.pem'), pem(key.publicKey))
}

const pem = (key: KeyObject) => String(key.export({ type: 'spki', format: 'pem' }))

/** A release in the form of the release command, with a program of a few lines. */
export function smallRelease(parent: string, release: SmallRelease): string {
  const { version, key, platform: of = platform } = release
  const out = fs.mkdtempSync(path.join(parent, 'release-'))
  const name = `pulse-v${version}-${of}`
  layOut(path.join(out, name), release)
  const file = `${name}.tar.gz`
  spawnSync('tar', ['-C', out, '-czf', path.join(out, file), name])
  fs.rmSync(path.join(out, name), { recursive: true })
  const bytes = fs.readFileSync(path.join(out, file))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const files = [{ name: file, platform: of, bytes: bytes.length, sha256 }]
  const channel = version.includes('-') ? 'rc' : 'stable'
  const manifest = Buffer.from(JSON.stringify({ name: 'pulse', version, channel, build: 'b', files }))
  fs.writeFileSync(path.join(out, 'manifest.json'), manifest)
  if (key) fs.writeFileSync(path.join(out, 'manifest.json.sig'), sign(null, manifest, key.privateKey))
  return out
}

/**
 * Replaces the machine's commands that the switch calls: counts the calls and stops at the selected one, so
 * that the test can kill the switch there.
 */
const counted = (then: string) => `#!/bin/sh
root=$(dirname "$(dirname "$(readlink -f "$0")")")
number=$(($(cat "$root/calls" 2>/dev/null || echo 0) + 1))
echo $number >"$root/calls"
if [ "$number" = "$(cat "$root/wait-at" 2>/dev/null)" ]; then
  echo "$0 $*" >"$root/waits"
  sleep 600
fi
${then}
`

/** A simulated service: a file with the running version. At its start it writes into its data. */
const systemctl = `
data=$(cat "$root/data-folder")
current=$root/current
case $1 in
  stop) rm -f "$root/running" ;;
  start)
    [ -e "$root/running" ] && exit 0
    [ -e "$data/update/restoring" ] && exit 1
    if [ -e "$current/broken" ]; then
      echo spoiled >"$data/store"
      exit 0
    fi
    echo "stored by $(cat "$current/version")" >>"$data/store"
    cat "$current/version" >"$root/running"
    ;;
esac
`
const health = `[ "$(cat "$root/running" 2>/dev/null)" = "$1" ]`
const standIns = { systemctl, health, tar: 'exec /usr/bin/env -i PATH=/usr/bin:/bin tar "$@"', sync: ':' }

export interface Installation {
  root: string
  data: string
  /** Stages a release like the server, and requests it. */
  handOver(folder: string, version: string): void
  /** Runs the switch until it ends. */
  run(): Promise<{ code: number | null; said: string }>
  /** Runs the switch up to this call of a machine command and kills it there; false if it ended before. */
  runAndKillAt(call: number): Promise<boolean>
  /** Simulates a power cut and a boot: all processes end, and the service starts. */
  boot(): void
  running(): string | undefined
  current(): string
  store(): string
  progress(): Record<string, unknown>
  isEnded(): boolean
  remove(): void
}

/** An installation of small releases; the release in the first slot is running. */
export function installed(version: string, key: Key | undefined): Installation {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-slots-'))
  const data = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-data-'))
  fs.chmodSync(root, 0o755)
  const at = (name: string) => path.join(root, name)
  const read = (name: string) => (fs.existsSync(name) ? fs.readFileSync(name, 'utf8').trim() : undefined)
  layOut(at('slots/a'), { version, key })
  fs.symlinkSync('slots/a', at('current'))
  fs.writeFileSync(at('data-folder'), data)
  fs.mkdirSync(at('stand-ins'))
  for (const [name, then] of Object.entries(standIns))
    fs.writeFileSync(path.join(at('stand-ins'), name), counted(then), { mode: 0o755 })
  fs.writeFileSync(path.join(data, 'store'), 'kept\n')
  fs.mkdirSync(path.join(data, 'temperature'))
  fs.writeFileSync(path.join(data, 'temperature/key'), 'a key', { mode: 0o600 })
  const systemctlOnce = (word: string) =>
    spawnSync(path.join(at('stand-ins'), 'systemctl'), [word], { stdio: 'ignore' })
  systemctlOnce('start')

  function start(): ChildProcess {
    for (const name of ['calls', 'waits']) fs.rmSync(at(name), { force: true })
    const args = [builtSwitch, '--root', root, '--data', data, '--service', 'pulse.service', '--wait', '1']
    return spawn(process.execPath, args, {
      env: { ...compileCache, PATH: `${at('stand-ins')}:${process.env['PATH']}` },
      stdio: ['ignore', 'pipe', 'pipe'],
      // its own process group, so that its supervisor can end all of it
      detached: true,
    })
  }

  async function endOf(child: ChildProcess) {
    let said = ''
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (part) => (said += String(part)))
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, said }
  }

  return {
    root,
    data,
    handOver(folder, wanted) {
      const staged = path.join(data, 'update/staged')
      fs.mkdirSync(staged, { recursive: true })
      for (const name of fs.readdirSync(folder))
        fs.copyFileSync(
          path.join(folder, name),
          path.join(staged, name.endsWith('.tar.gz') ? 'release.tar.gz' : name),
        )
      fs.writeFileSync(
        path.join(data, 'update/request.json'),
        JSON.stringify({ id: 'request-1', version: wanted }),
      )
    },
    run() {
      fs.rmSync(at('wait-at'), { force: true })
      return endOf(start())
    },
    async runAndKillAt(call) {
      fs.writeFileSync(at('wait-at'), String(call))
      const child = start()
      const ended = endOf(child)
      const isOver = ended.then(() => true)
      for (;;) {
        if (fs.existsSync(at('waits'))) break
        if (await Promise.race([isOver, new Promise<false>((resolve) => setTimeout(resolve, 5, false))]))
          return false
      }
      process.kill(-child.pid!, 'SIGKILL')
      await ended
      return true
    },
    boot() {
      fs.rmSync(at('wait-at'), { force: true })
      fs.rmSync(at('running'), { force: true })
      systemctlOnce('start')
    },
    running: () => read(at('running')),
    current: () => fs.readlinkSync(at('current')),
    store: () => read(path.join(data, 'store')) ?? '',
    progress: () =>
      JSON.parse(read(path.join(data, 'update/progress.json')) ?? '{}') as Record<string, unknown>,
    isEnded: () =>
      !['switch.json', 'incoming', 'current.new', 'slots/fresh'].some((name) => fs.existsSync(at(name))),
    remove() {
      for (const folder of [root, data]) fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}
