import { setTimeout as pause } from 'node:timers/promises'
import { ownerCommand, runOwnerCommand } from './updates/switch/as-owner.ts'
import { readArguments } from './updates/switch/arguments.ts'
import { holdAlone } from './updates/switch/alone.ts'
import { serviceOf } from './updates/switch/service.ts'
import { switchRelease } from './updates/switch/run.ts'

// A program of its own: what runs as root reads none of the server's configuration, and as little else as can be.
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

run(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})
