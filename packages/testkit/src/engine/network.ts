import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'

/** A separate network namespace, which contains the engine's bridges, rules and `FORWARD DROP`. */
export function makeNetwork(): { name: string; enter: string[]; remove: () => void } {
  // threads share the process id
  const name = `pulse-${process.pid}-${randomBytes(4).toString('hex')}`
  const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  ip('netns', 'add', name)
  ip('-n', name, 'link', 'set', 'lo', 'up')
  // `ip netns exec` would mount /sys again, and the engine would not find the control groups
  return { name, enter: ['nsenter', `--net=/run/netns/${name}`], remove: () => ip('netns', 'del', name) }
}
