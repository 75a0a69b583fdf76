import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ownerCommand, runOwnerCommand } from './updates/switch/as-owner.ts'
import { holdAlone } from './updates/switch/alone.ts'
import { serviceOf } from './updates/switch/service.ts'
import { switchRelease } from './updates/switch/run.ts'

// A separate program: code that runs as root must not read the server's configuration, and should load little
// else.
async function run([command, ...rest]: string[]): Promise<void> {
  if (command === ownerCommand) return runOwnerCommand(rest)
  const { root, data, service, waitSeconds } = readArguments([command, ...rest])
  const release = await holdAlone(root)
  if (!release) return void process.stdout.write('Another switch is at work here.\n')
  try {
    await switchRelease(
      { root, data },
      {
        service: serviceOf(service, { root, data, waitSeconds }),
        now: Date.now,
        settle: () => pause(Math.min(3_000, waitSeconds * 100)),
        log: (line) => process.stdout.write(`${line}\n`),
      },
    )
  } finally {
    release()
  }
}

const usage = 'Usage: switch --root FOLDER --data FOLDER --service UNIT [--wait SECONDS]'
/** Longest start of a large estate on a slow machine. */
const usualWaitSeconds = 120

interface SwitchArguments {
  root: string
  data: string
  service: string
  waitSeconds: number
}

function readArguments(args: readonly (string | undefined)[]): SwitchArguments {
  const given = new Map<string, string>()
  for (let n = 0; n < args.length; n += 2) {
    const [name, value] = [args[n], args[n + 1]]
    if (!name || !value || !['--root', '--data', '--service', '--wait'].includes(name)) throw new Error(usage)
    given.set(name, value)
  }
  const [root, data, service, wait = String(usualWaitSeconds)] = ['root', 'data', 'service', 'wait'].map(
    (name) => given.get(`--${name}`),
  )
  if (!root || !data || !service || !/^[\w@.-]+$/.test(service) || !/^\d{1,4}$/.test(wait))
    throw new Error(usage)
  return { root: path.resolve(root), data: path.resolve(data), service, waitSeconds: Number(wait) }
}

// Last: the constants above are needed by then.
run(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
