import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { Intake } from './agents-report.ts'
import { percentile } from './figures.ts'

/** Messages to and from one process of agents. */
export type FleetOrder =
  | {
      begin: {
        url: string
        token: string
        version: string
        intervalSeconds: number
        containers: number
        hosts: number
        after: number
      }
    }
  | { take: true }
  | { atOnce: true }

export interface FleetAnswers {
  ms: number[]
  bytes: number
  /** responses by status; `none` counts requests without a response */
  statuses: Record<string, number>
}

/** Agents per process: separate processes keep their cost apart from the server's. */
const hostsPerProcess = 250

export interface Fleet {
  pids: number[]
  /** The responses since the last call. */
  take(): Promise<FleetAnswers>
  /** Makes all agents report at once; resolves after the last response. */
  atOnce(): Promise<FleetAnswers>
  stop(): Promise<void>
}

interface FleetPlan {
  url: string
  token: string
  version: string
  hosts: number
  containers: number
  intervalSeconds: number
}

/** Starts agents in separate processes, with reports spread over their interval. */
export async function startFleet({ hosts, ...plan }: FleetPlan): Promise<Fleet> {
  const children: ChildProcess[] = []
  for (let after = 0; after < hosts; after += hostsPerProcess) {
    const child = fork(path.join(import.meta.dirname, 'agent-fleet-process.ts'))
    children.push(child)
    await ask(child, { begin: { ...plan, hosts: Math.min(hostsPerProcess, hosts - after), after } })
  }
  const all = async (order: FleetOrder) =>
    joined(await Promise.all(children.map((child) => ask(child, order))))
  return {
    pids: children.map(({ pid }) => pid!),
    take: () => all({ take: true }),
    atOnce: () => all({ atOnce: true }),
    async stop() {
      await Promise.all(
        children.map(async (child) => {
          if (child.exitCode !== null) return
          const ended = once(child, 'exit')
          child.disconnect()
          await ended
        }),
      )
    },
  }
}

function ask(child: ChildProcess, order: FleetOrder): Promise<FleetAnswers> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error('not measured: a process of agents has ended'))
    child.once('exit', ended)
    child.once('message', (answers) => {
      child.off('exit', ended)
      resolve(answers as FleetAnswers)
    })
    child.send(order)
  })
}

function joined(parts: readonly FleetAnswers[]): FleetAnswers {
  const statuses: Record<string, number> = {}
  for (const [status, count] of parts.flatMap((part) => Object.entries(part.statuses))) {
    statuses[status] = (statuses[status] ?? 0) + count
  }
  return {
    ms: parts.flatMap(({ ms }) => ms),
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
    statuses,
  }
}

/** Any other refusal is an error in the bench. */
export function intakeOf({ ms, statuses }: FleetAnswers): Intake {
  const count = (isOne: (status: string) => boolean) =>
    Object.entries(statuses).reduce((sum, [status, times]) => sum + (isOne(status) ? times : 0), 0)
  const odd = Object.keys(statuses).filter((status) => !/^(200|429|5\d\d|none)$/.test(status))
  if (odd.length > 0) throw new Error(`not measured: reports were answered with ${odd.join(', ')}`)
  return {
    reports: count(() => true),
    failed: count((status) => /^(5|none)/.test(status)),
    putOff: count((status) => status === '429'),
    p50Ms: percentile(ms, 0.5),
    p99Ms: percentile(ms, 0.99),
    mostMs: percentile(ms, 1),
  }
}
