import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'

/** A network of its own: an engine's bridges, its rules and its `FORWARD DROP` stay in it. */
export function makeNetwork(): { name: string; enter: string[]; remove: () => void } {
  // threads share the number of their process
  const name = `pulse-${process.pid}-${randomBytes(4).toString('hex')}`
  const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  ip('netns', 'add', name)
  ip('-n', name, 'link', 'set', 'lo', 'up')
  // `ip netns exec` would mount /sys again, and the engine would find no control groups
  return { name, enter: ['nsenter', `--net=/run/netns/${name}`], remove: () => ip('netns', 'del', name) }
}
