import { expect, test } from 'vitest'
import { parseFlags } from './flags.ts'
import { OptionError } from './options.ts'

test('flags become options', () => {
  const args =
    '--nodes 5 --guests 10 --seed 3 --pve 8 --port 9006 --control 0 --base 127.40 --pbs 2 --pbs-version 3 --backups 500 --pmg 1 --pmg-version mixed --pmg-cluster --ceph --docker 3 --containers 50 --docker-agents original --standalone --play degraded-pool --play queue-grows --json'.split(
      ' ',
    )
  expect(parseFlags(args)).toEqual({
    options: {
      nodes: 5,
      guests: 10,
      seed: 3,
      version: '8',
      port: 9006,
      controlPort: 0,
      base: '127.40',
      pbs: 2,
      pbsVersion: '3',
      backups: 500,
      pmg: 1,
      pmgVersion: 'mixed',
      pmgCluster: true,
      ceph: true,
      dockerHosts: 3,
      dockerContainers: 50,
      dockerAgents: 'original',
      standalone: true,
    },
    play: ['degraded-pool', 'queue-grows'],
    json: true,
    help: false,
  })
})

test('without flags the control API has its usual port', () => {
  expect(parseFlags([]).options).toEqual({ controlPort: 7656 })
})

test.each([
  { args: ['--nodes', 'many'], message: '--nodes must be a whole number, not many' },
  { args: ['--nodes', '0'], message: 'nodes must be a whole number from 1 to 4000, not 0' },
  { args: ['--pve', '6'], message: 'version must be 7, 8, 9 or mixed-by-cluster, not 6' },
  { args: ['--docker-agents', 'x'], message: 'dockerAgents must be own, original or mixed, not x' },
  { args: ['--backups', 'some'], message: '--backups must be a whole number, not some' },
  { args: ['--base', '192.168'], message: 'base must look like 127.40' },
  { args: ['--what'], message: "Unknown option '--what'" },
])('$args: $message', ({ args, message }) => {
  expect(() => parseFlags(args)).toThrow(OptionError)
  expect(() => parseFlags(args)).toThrow(message)
})
