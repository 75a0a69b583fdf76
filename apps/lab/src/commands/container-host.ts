import fs from 'node:fs'
import path from 'node:path'
import { type Command, type CommandAnswer, printed, refused } from './answer.ts'
import { type CommandShell, openShell, type RunOptions, type SandboxRun } from './shell.ts'

export interface ContainerHostOptions {
  /** as `uname -m` prints it */
  machine?: string
  /** 0 is root */
  userId?: number
  /** the init system */
  starts?: 'systemd' | 'unraid' | 'nothing'
  /** id of the engine; absent without one */
  engineId?: string
  machineId?: string
  hostname?: string
  /** usual programs that this host lacks */
  without?: readonly string[]
  /** A multi-call program, such as busybox, that provides all programs and the shell; absent: separate programs. */
  busybox?: string
}

/** A host that runs containers, with its own tree of files. */
export interface ContainerHost extends Omit<CommandShell, 'dir' | 'bin' | 'run'> {
  /** root folder of its files */
  root: string
  /** services that start with the host, and running services */
  enabled: Set<string>
  active: Set<string>
  /** Runs sh with these arguments, without a terminal. */
  sh(args: readonly string[], given?: RunOptions): Promise<SandboxRun>
}

/** The programs that a script may rely on. */
const programs =
  'basename bash cat chmod cp curl cut dirname env grep head mkdir mktemp mv nohup od openssl readlink rm rmdir sed sh sha256sum sleep tail timeout touch tr wc wget'.split(
    ' ',
  )

const folders = ['etc', 'usr/local/bin', 'var/log', 'opt']

export async function openContainerHost(options: ContainerHostOptions = {}): Promise<ContainerHost> {
  const { machine = 'x86_64', hostname = 'dock1', starts = 'systemd', engineId, without = [] } = options
  let { userId = 0 } = options
  const enabled = new Set<string>()
  const active = new Set<string>()
  const commandsIn = (dir: string): Record<string, Command> => ({
    id: () => printed(`${userId}\n`),
    hostname: () => printed(`${hostname}\n`),
    uname: ([flag]) => printed(flag === '-m' ? `${machine}\n` : 'Linux\n'),
    ...(engineId !== undefined && { docker: () => printed(`${engineId}\n`) }),
    ...(starts === 'systemd' && { systemctl: (args) => control(unitsIn(dir), enabled, active, args) }),
    ...(!without.includes('sudo') && {
      'become-root': () => {
        userId = 0
        return printed()
      },
    }),
  })
  const {
    run,
    dir,
    bin: _bin,
    ...shell
  } = await openShell(commandsIn, (dir, bin) => {
    makeTree(path.join(dir, 'root'), options)
    // The real sudo asks for a password first.
    const sudo = '#!/bin/sh\nbecome-root "$@"\nexec "$@"\n'
    if (!without.includes('sudo')) fs.writeFileSync(path.join(bin, 'sudo'), sudo, { mode: 0o755 })
    return linkPrograms(path.join(dir, 'programs'), options)
  })
  return {
    ...shell,
    root: path.join(dir, 'root'),
    enabled,
    active,
    sh: (args, given) => run(path.join(dir, 'programs', 'sh'), args, given),
  }
}

const unitsIn = (dir: string) => path.join(dir, 'root/etc/systemd/system')

function makeTree(
  root: string,
  { starts = 'systemd', machineId = '0f3c'.repeat(8) }: ContainerHostOptions,
): void {
  for (const folder of folders) fs.mkdirSync(path.join(root, folder), { recursive: true })
  const write = (name: string, text: string) => {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    fs.writeFileSync(path.join(root, name), text)
  }
  write('etc/machine-id', `${machineId}\n`)
  if (starts === 'systemd') {
    fs.mkdirSync(path.join(root, 'etc/systemd/system'), { recursive: true })
    fs.mkdirSync(path.join(root, 'run/systemd/system'), { recursive: true })
  }
  if (starts === 'unraid') {
    write('etc/unraid-version', 'version="7.0.0"\n')
    // Without a final line break, as in files edited by hand.
    write('boot/config/go', '#!/bin/bash\n/usr/local/sbin/emhttp')
  }
}

function linkPrograms(folder: string, { without = [], busybox }: ContainerHostOptions): string {
  fs.mkdirSync(folder)
  for (const name of programs.filter((one) => !without.includes(one))) {
    const file = busybox ?? fileOf(name)
    if (file) fs.symlinkSync(file, path.join(folder, name))
  }
  return folder
}

const fileOf = (name: string) =>
  ['/usr/bin', '/bin'].map((bin) => path.join(bin, name)).find((file) => fs.existsSync(file))

/** The part of systemctl that an installer and a service need. A unit without a file does not exist. */
function control(
  units: string,
  enabled: Set<string>,
  active: Set<string>,
  args: readonly string[],
): CommandAnswer {
  const [verb = '', unit = ''] = args.filter((arg) => !arg.startsWith('--'))
  if (verb === 'daemon-reload') return printed()
  const actions: Record<string, () => unknown> = {
    enable: () => enabled.add(unit),
    disable: () => enabled.delete(unit),
    restart: () => active.add(unit),
    stop: () => active.delete(unit),
  }
  const action = Object.hasOwn(actions, verb) ? actions[verb] : undefined
  if (!action) return refused(`Unknown command verb ${verb}.`, 1)
  if (!fs.existsSync(path.join(units, unit))) return refused(`Unit ${unit} could not be found.`, 5)
  action()
  return printed()
}
